package settings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines mcplogic.json: what a folder says about the server of it.

// SettingsFile is the name of the file in a folder.
const SettingsFile = "mcplogic.json"

// settings are the content of such a file. texts are by key; "" stands for a member that is not there.
type settings struct {
	Texts map[string]string
	// limits are texts as the flags of these names take them. parseLimits has set each on a scratch flag, so that their
	// values are known to be good.
	limits map[string]string
}

// limitNames are the flags whose values may stand under "limits". Flags that open the sandbox are not among them: a
// folder cannot give itself access to more.
var limitNames = []string{"timeout", "max-memory", "max-inferences", "max-solutions", "max-result", "ask-timeout",
	"load-timeout", "load-memory", "table-memory", "max-calls", "max-calls-each", "max-waiting", "max-tasks", "page-size",
	"grace"}

// Settle gives flags that the command line does not set the values of the folder. The folder is that of the first path,
// as for the server's name. A command that lacks one of the flags passes over it. A flag of the command line wins over
// the folder, and the folder over the default.
func (f *ServerFlags) Settle(flags *pflag.FlagSet, paths []string) error {
	s, err := ReadSettings(paths[0])
	if err != nil {
		return err
	}
	s.Texts["store"] = cmp.Or(os.Getenv(StoreVariable), s.Texts["store"])
	for key, to := range f.texts() {
		flag := strings.Replace(key, "version", "server-version", 1)
		if text := s.Texts[key]; text != "" && !flags.Changed(flag) {
			*to = text
		}
	}
	for name, text := range s.limits {
		if limit := flags.Lookup(name); limit != nil && !limit.Changed {
			if err := limit.Value.Set(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// texts are the fields of a server that the texts of such a file set, by key.
func (f *ServerFlags) texts() map[string]*string {
	return map[string]*string{"name": &f.Name, "title": &f.Title, "version": &f.Server, "instructions": &f.told,
		"store": &f.Store}
}

// ReadSettings reads the file in a folder. Settings are empty where there is no such file, or where path is no folder.
// The error names the file.
func ReadSettings(path string) (settings, error) {
	file := filepath.Join(path, SettingsFile)
	s := settings{Texts: map[string]string{}}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return s, nil
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		s, err = parseSettings(text)
	}
	if store := s.Texts["store"]; err == nil && store != "" {
		s.Texts["store"], err = storeOf(path, store)
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// storeOf returns the store that the settings of a folder name. A name alone is one below the data of the user, and the
// path of a store is one within the folder unless it is absolute.
func storeOf(folder, text string) (string, error) {
	dir, inFile := strings.CutPrefix(text, "file:")
	switch {
	case HasPassword(text):
		return "", errors.New("store: the address has a password; give it in the environment, as " + StoreVariable)
	case inFile && !filepath.IsAbs(dir):
		return "file:" + filepath.Join(folder, dir), nil
	case strings.Contains(text, ":"):
		return text, nil
	case text != ClientName(text):
		return "", fmt.Errorf("store: got %s, want a name of letters, digits, - and _, file:DIR or postgres://ADDRESS", text)
	}
	data := cli.UserFolder("XDG_DATA_HOME", ".local", "share")
	if data == "" {
		return "", errors.New("store: there is no folder of the user")
	}
	return "file:" + filepath.Join(data, text), nil
}

// parseSettings parses the text of such a file. Unknown keys are errors: a limit that is misspelt would not hold.
func parseSettings(text []byte) (s settings, err error) {
	s = settings{Texts: map[string]string{}, limits: map[string]string{}}
	known := new(ServerFlags).texts()
	object, err := parseObject(text)
	if err != nil {
		return s, err
	}
	for _, key := range cli.SortedKeys(object) {
		switch {
		case known[key] != nil:
			var value string
			if json.Unmarshal(object[key], &value) != nil {
				return s, fmt.Errorf("%s: expected a string, got %s", key, spell.Shorten(string(object[key])))
			}
			s.Texts[key] = value
		case key == "limits":
			if s.limits, err = parseLimits(object[key]); err != nil {
				return s, fmt.Errorf("limits: %w", err)
			}
		default:
			return s, unknownKey(key, append(cli.SortedKeys(known), "limits"))
		}
	}
	return s, nil
}

// parseObject parses a JSON object into its members. An error of syntax says the line; null is an error, too.
func parseObject(text []byte) (map[string]json.RawMessage, error) {
	var object map[string]json.RawMessage
	err := json.Unmarshal(text, &object)
	var wrong *json.SyntaxError
	switch {
	case errors.As(err, &wrong):
		before := text[:wrong.Offset]
		return nil, fmt.Errorf("not JSON: line %d: %w", 1+bytes.Count(before, []byte("\n")), err)
	case err != nil || object == nil:
		return nil, fmt.Errorf("expected an object, got %s", spell.Shorten(strings.TrimSpace(string(text))))
	}
	return object, nil
}

// parseLimits parses limits into the texts that flags take. Each is set on a scratch flag, so that all commands refuse
// the same values, also those that lack the flag.
func parseLimits(raw json.RawMessage) (map[string]string, error) {
	object, err := parseObject(raw)
	if err != nil {
		return nil, err
	}
	var scratch ServerFlags
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	scratch.Add(flags)
	scratch.AddIdentity(flags)
	parsed := map[string]string{}
	for _, key := range cli.SortedKeys(object) {
		text := cli.Unquoted(object[key])
		flag := flags.Lookup(key)
		switch {
		case flag == nil || !slices.Contains(limitNames, key):
			return nil, unknownKey(key, limitNames)
		// The first byte tells the type of a JSON value: an object, an array, true, false or null is no limit.
		case strings.IndexByte("{[tfn", object[key][0]) >= 0:
			return nil, fmt.Errorf("%s: expected a string or a number, got %s", key, spell.Shorten(text))
		}
		if err := flag.Value.Set(text); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		parsed[key] = text
	}
	return parsed, nil
}

// unknownKey is the error for a key that nobody knows.
func unknownKey(key string, known []string) error {
	if near := spell.Nearest(key, known); near != "" {
		return fmt.Errorf("unknown key %s; did you mean %s?", key, near)
	}
	return fmt.Errorf("unknown key %s; known are %s", key, strings.Join(known, ", "))
}

// ClientName makes a name that the strictest client takes: letters, digits, - and _ alone.
func ClientName(name string) string {
	name = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss", "é", "e",
		"è", "e", "ê", "e", "á", "a", "à", "a", "â", "a", "å", "a", "í", "i", "î", "i", "ó", "o", "ô", "o", "ø", "o",
		"ú", "u", "û", "u", "ñ", "n", "ç", "c").Replace(name)
	name = strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '-'
	}, name)
	return cmp.Or(strings.Trim(name, "-"), "mcplogic")
}
