package web_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/bridge/web"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file has whole programs that embed rules; docs/embedding.md shows them.

// A handler asks rules whether a request may pass. The goal is read once; what the request brings are values, and facts
// that its question alone sees.
func Example_authorize() {
	rules, err := engine.LoadText(context.Background(), "access.pl", `
		:- dynamic([role/2, owner/2, header/2]).
		allow(User, read, _) :- role(User, reader).
		allow(User, _, Doc) :- owner(Doc, User), \+ header('X-Frozen', _).
	`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	type role struct {
		User, Role string `prolog:",atom"`
	}
	type owner struct {
		Doc, User string `prolog:",atom"`
	}
	type header struct {
		Name  string `prolog:",atom"`
		Value string
	}
	fmt.Println(rules.Assert(role{"ann", "reader"}, owner{"/plan", "bob"}))
	allow, err := rules.Prepare("allow(User, Action, Doc)", &engine.RunOptions{Limits: engine.Limits{Inferences: 10_000}})
	if err != nil {
		fmt.Println(err)
		return
	}
	guard := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var seen []any
		for name := range r.Header {
			seen = append(seen, header{name, r.Header.Get(name)})
		}
		user, _, _ := r.BasicAuth()
		action := map[bool]string{true: "read", false: "write"}[r.Method == http.MethodGet]
		ok, err := allow.With(seen...).Holds(r.Context(), engine.Args{"User": term.Atom(user),
			"Action": term.Atom(action), "Doc": term.Atom(r.URL.Path)})
		switch {
		case err != nil:
			http.Error(w, "the rules cannot tell", http.StatusInternalServerError)
		case !ok:
			http.Error(w, "no", http.StatusForbidden)
		}
	})
	for _, line := range []string{"ann GET", "ann PUT", "bob PUT", "bob PUT X-Frozen"} {
		part := append(strings.Fields(line), "X-None")
		r := httptest.NewRequest(part[1], "/plan", nil)
		r.SetBasicAuth(part[0], "")
		r.Header.Set(part[2], "1")
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, r)
		fmt.Println(line, w.Code)
	}
	// Output:
	// <nil>
	// ann GET 200
	// ann PUT 403
	// bob PUT 200
	// bob PUT X-Frozen 403
}

// Predicates in Go: functions, sequences, any Go value in a term, and terms with the variables of the goal.
func Example_predicates() {
	type account struct{ balance int }
	accounts := map[string]*account{"ann": {10}, "bob": {5}}
	errPoor := errors.New("not enough")
	prog := engine.New(&engine.Options{Predicates: []engine.Predicate{
		engine.Func("account", func(_ context.Context, name string) (engine.Term, error) {
			a, ok := accounts[name]
			if !ok {
				return nil, engine.ErrNoSolution
			}
			return engine.Opaque(a), nil
		}),
		engine.Func("withdraw", func(_ context.Context, handle engine.Term, n int) (int, error) {
			a, _ := engine.Value[*account](handle)
			if a == nil || a.balance < n {
				return 0, errPoor
			}
			a.balance -= n
			return a.balance, nil
		}),
		engine.Func("name", func(context.Context) iter.Seq2[string, error] {
			return func(yield func(string, error) bool) {
				for _, name := range slices.Sorted(func(yield func(string) bool) {
					for name := range accounts {
						if !yield(name) {
							return
						}
					}
				}) {
					if !yield(name, nil) {
						return
					}
				}
			}
		}),
		{Name: "flip", Arity: 2, Call: func(c *engine.Call) (bool, error) {
			pair, ok := term.Is(c.Arg(0), "-", 2)
			return ok && c.Unify(1, term.New("-", pair[1], pair[0])), nil
		}},
	}})
	for _, goal := range []string{"account(ann, A), withdraw(A, 3, Left), A = hidden",
		"forall(account(ann, _), account(bob, _))",
		"name(N)", "flip(X-1, F), F = (_ - seven)", "account(bob, A), withdraw(A, 9, Left)"} {
		s, err := prog.Once(context.Background(), goal, nil)
		fmt.Println(s, errors.Is(err, errPoor), errors.Is(err, engine.ErrNoSolution))
	}
	// Output:
	// no answer false true
	// true false false
	// N = "ann" false false
	// X = seven, F = 1-seven false false
	// no answer true false
}

// Rules inside of the binary are served over MCP in one's own process: with a tool in Go, one's own sign-in and spans.
func Example_serve() {
	ctx := context.Background()
	rules := fstest.MapFS{"rules/shop.pl": {Data: []byte(`
		tools([tool(price, price, 2)]).
		:- mode(price(+atom, -number), one).
		:- info(price/2, [comment is 'The price of an item.', argnames is [item, price]]).
		price(tea, P) :- base(B), discount(D), P is B - D.
		base(5).
		discount(1) :- user(ann).
		discount(0) :- \+ user(ann).
	`)}}
	type userKey struct{}
	user := engine.Func("user", func(ctx context.Context) (engine.Term, error) {
		return term.Atom(fmt.Sprint(ctx.Value(userKey{}))), nil
	})
	base, err := kb.Open(ctx, []string{"rules"},
		&kb.Options{FS: rules, Predicates: append(bridge.Predicates(), user)})
	if err != nil {
		fmt.Println(err)
		return
	}
	type shout struct{ Text string }
	server := bridge.NewServer(base.Snapshot(), &bridge.Options{
		Tools: []bridge.Tool{bridge.NewTool(&mcp.Tool{Name: "shout"},
			func(_ context.Context, _ *mcp.CallToolRequest, in shout) (*mcp.CallToolResult, shout, error) {
				return nil, shout{strings.ToUpper(in.Text)}, nil
			})},
		Observe: func(ctx context.Context, o bridge.Observation) (context.Context, func(bridge.Observation)) {
			return context.WithValue(ctx, userKey{}, o.User), func(o bridge.Observation) { // or begin and end a span
				if o.Method == "tools/call" {
					fmt.Println(o.User, "calls", o.Name, o.Outcome)
				}
			}
		}})
	defer server.Close()
	endpoint, err := web.NewServer(server.MCP(), &web.Options{User: func(r *http.Request) (string, error) {
		name, password, _ := r.BasicAuth()
		if password != "secret" {
			return "", errors.New("sign in first")
		}
		return name, nil
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle(web.Path, endpoint)
	site := httptest.NewServer(mux)
	defer site.Close()

	for _, name := range []string{"ann", "bob"} {
		session, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil).Connect(ctx,
			&mcp.StreamableClientTransport{Endpoint: site.URL + web.Path, HTTPClient: signedIn(name)}, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "price", Arguments: map[string]any{"item": "tea"}})
		fmt.Println(r.StructuredContent, err)
		session.Close()
	}
	// Output:
	// ann calls price ok
	// map[price:4] <nil>
	// bob calls price ok
	// map[price:5] <nil>
}

// signedIn returns a client that signs in by each request.
func signedIn(name string) *http.Client {
	return &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		r.SetBasicAuth(name, "secret")
		return http.DefaultTransport.RoundTrip(r)
	})}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Facts last in a store of one's own: here lines of a file, which could be rows of a table.
func Example_store() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	rules := fstest.MapFS{"count.pl": {Data: []byte(":- persistent(seen/1).\nsee(X) :- assertz(seen(X)).\n")}}
	for _, name := range []string{"ann", "bob"} { // the program is started twice
		ctx := context.Background()
		store, err := kb.NewStore(ctx, lines(filepath.Join(dir, "facts")), nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		snapshot, err := kb.Load(ctx, []string{"count.pl"}, &kb.Options{FS: rules, Store: store})
		if err != nil {
			fmt.Println(err)
			return
		}
		_, err = snapshot.Program.Update(ctx, "see(Name)", &engine.RunOptions{Bind: map[string]any{"Name": name}})
		s, _ := snapshot.Program.Once(ctx, "findall(X, seen(X), L)", nil)
		fmt.Println(s.Text("L"), err)
	}
	// Output:
	// [ann] <nil>
	// [ann,bob] <nil>
}

// lines is a file with a fact a line. It takes no facts away.
type lines string

func (l lines) Load(context.Context) iter.Seq2[host.Fact, error] {
	return func(yield func(host.Fact, error) bool) {
		text, _ := os.ReadFile(string(l)) // there is none at first
		for line := range strings.Lines(string(text)) {
			if !yield(kb.ParseFact(strings.TrimSpace(line))) {
				return
			}
		}
	}
}

func (l lines) Append(change host.FactChange) error {
	if len(change.Removed) > 0 {
		return errors.New("facts are for ever here")
	}
	var b strings.Builder
	for _, f := range change.Added {
		text, err := kb.FactText(f)
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, text)
	}
	file, err := os.OpenFile(string(l), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(b.String())
	return errors.Join(err, file.Close())
}

// A command checks rules inside of the binary, runs their tests and says why an answer holds.
func Example_check() {
	ctx := context.Background()
	rules := fstest.MapFS{ // or an embed.FS
		"rules.pl": {Data: []byte(`
			adult(X) :- age(X, A), A >= 18.
			age(ann, 31).
			age(tim, 12).
			old(X) :- age(X, A), A > B.
		`)},
		"rules.plt": {Data: []byte(`
			:- begin_tests(age).
			test(ann) :- adult(ann).
			test(tim) :- adult(tim).
			:- end_tests(age).
		`)},
	}
	snapshot, err := kb.Load(ctx, []string{"rules.pl", "rules.plt"}, &kb.Options{FS: rules, Lint: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range snapshot.Diagnostics {
		fmt.Println(d.Code, "in line", d.Line)
	}
	outcomes, err := snapshot.Test(ctx, engine.Limits{})
	for _, o := range outcomes {
		fmt.Println(o.Name, o.Passed)
	}
	why, err2 := snapshot.Program.Why(ctx, "adult(ann)", nil)
	whyNot, err3 := snapshot.Program.WhyNot(ctx, "adult(tim)", nil)
	if err := errors.Join(err, err2, err3); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(why.Text)
	fmt.Println(whyNot.Line)
	// Output:
	// unbound in line 5
	// singleton in line 5
	// age: ann true
	// age: tim false
	// adult(ann)  [rules.pl:2]
	//   age(ann, 31)  [rules.pl:3]
	//   age 31 is at least 18  (A from 18 on)
	// no answer for adult(tim): age 12 is below 18 (A>=18) at rules.pl:2
}

// A process that runs for long replaces facts at one moment, reloads rules and keeps what calls have added.
func Example_longLived() {
	ctx := context.Background()
	text := ":- dynamic([rate/2, note/1]).\nprice(X, P) :- rate(X, R), P is 2 * R.\n"
	rules := fstest.MapFS{"r.pl": {Data: []byte(text)}}
	base, err := kb.Open(ctx, []string{"r.pl"}, &kb.Options{FS: rules})
	if err != nil {
		fmt.Println(err)
		return
	}
	type rate struct {
		Of    string `prolog:",atom"`
		Price int
	}
	refresh := func(rows ...rate) {
		n, err := base.Snapshot().Program.SetFacts("rate", 2, func(yield func(engine.Term, error) bool) {
			for _, row := range rows {
				if !yield(engine.TermOf(row)) {
					return
				}
			}
		})
		fmt.Println(n, "rates", err)
	}
	refresh(rate{"tea", 2}, rate{"milk", 1})
	fmt.Println(base.Snapshot().Program.Assert(term.New("note", term.Int(1))))
	rules["r.pl"] = &fstest.MapFile{Data: []byte(strings.Replace(text, "2 * R", "3 * R", 1))}
	fmt.Println(base.Reload(ctx).Err)
	refresh(rate{"tea", 4})
	prices, err := base.Snapshot().Program.Prepare("price(Of, Price)", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, err := range engine.All[rate](ctx, prices, nil) {
		fmt.Println(row, err)
	}
	s, err := base.Snapshot().Program.Once(ctx, "note(N)", nil)
	fmt.Println(s, err)
	// Output:
	// 2 rates <nil>
	// <nil>
	// <nil>
	// 1 rates <nil>
	// {tea 12} <nil>
	// N = 1 <nil>
}
