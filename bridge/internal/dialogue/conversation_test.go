package dialogue

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// conversation reads the questions of a term in a conversation of its own. answer is what the goal waits for.
func conversation(t *testing.T, name, questions, answer string, past ...Reply) (*Conversation, error) {
	t.Helper()
	p := engine.New(nil)
	item, err := p.ParseTerm("", questions)
	require.NoError(t, err, questions)
	wanted, err := p.ParseTerm("", answer)
	require.NoError(t, err, answer)
	c := &Conversation{ID: "test", Codec: &schema.Codec{}, Past: past}
	return c, c.ReadQuestions(name, []engine.Term{item, wanted})
}

// formal writes the formal term of an exception.
func formal(t *testing.T, err error) string {
	t.Helper()
	var exception *engine.Exception
	require.ErrorAs(t, err, &exception)
	return engine.FormatTerm(exception.Formal())
}

// TestKeys has the keys of the questions of a list: each has one of its own.
func TestKeys(t *testing.T) {
	for questions, want := range map[string]string{
		"[]": "",
		"[ask_value(age, 'How old?', integer), ask_value(name, 'Who?', atom)]":        "age name",
		"[ask_value(age, 'How old?', integer), ask_value(age, 'How old now?', atom)]": "age age#2",
		"[ask_value('', 'One?', integer), ask_url('', 'Two?', 'https://pay.test/')]":  "q1 q2",
	} {
		c, err := conversation(t, AskAllPredicate, questions, "Answers")
		require.NoError(t, err, questions)
		var keys []string
		for _, q := range c.Unanswered() {
			keys = append(keys, q.Key)
		}
		require.Equal(t, want, strings.Join(keys, " "), questions)
	}
}

// TestBadQuestions has what is said of terms that are no questions.
func TestBadQuestions(t *testing.T) {
	for question, want := range map[string]string{
		"ask_value(age, 'How old?', nosuch)":     "unknown type nosuch; the types are integer",
		"ask_url(pay, 'Pay', 'ftp://pay.test/')": "has to be an http or https URL, it is",
		"ask(age, 'How old?', {type-string})":    "has to have type-object",
		"whatever(age)":                          "type_error(question,whatever(age))",
	} {
		_, err := conversation(t, AskPredicate, question, "Answer")
		require.Contains(t, formal(t, err), want, question)
	}
}

// TestAnswers has what a goal gets for the replies to a question for an integer.
func TestAnswers(t *testing.T) {
	const question = "ask_value(age, 'How old?', integer)"
	for _, test := range []struct {
		reply Reply
		want  string // or the error, behind an exclamation mark
	}{
		{Reply{Action: "accept", Content: json.RawMessage(`{"value": 30}`)}, "accept(30)"},
		{Reply{Action: "accept", Content: json.RawMessage(`{"value": "30"}`)}, "accept(30)"},
		{Reply{Action: "accept", Content: json.RawMessage(`{"value": "young"}`)}, "!does not fit its schema"},
		{Reply{Action: "decline"}, "decline"},
		{Reply{Action: "cancel"}, "cancel"},
		{Reply{Action: "shrug"}, "!which is none of accept, decline and cancel"},
	} {
		test.reply.Key = "age"
		c, err := conversation(t, AskPredicate, question, "Answer", test.reply)
		require.NoError(t, err)
		require.Empty(t, c.Unanswered(), "the reply is known")
		got, err := c.Answer()
		if wrong, fails := strings.CutPrefix(test.want, "!"); fails {
			require.Contains(t, formal(t, err), wrong)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, test.want, engine.FormatTerm(got))
	}
}

// TestRepeat answers a goal that runs again as it was answered before, and names a question that it did not ask then.
func TestRepeat(t *testing.T) {
	p := engine.New(nil)
	ask := func(c *Conversation, question string) (engine.Term, error) {
		item, err := p.ParseTerm("", question)
		require.NoError(t, err)
		return c.Repeat(AskPredicate, []engine.Term{item, item})
	}
	c := &Conversation{Codec: &schema.Codec{}, Past: []Reply{{Key: "age", Action: "accept",
		Content: json.RawMessage(`{"value": 30}`)}}}
	answer, err := ask(c, "ask_value(age, 'How old?', integer)")
	require.NoError(t, err)
	require.Equal(t, "accept(30)", engine.FormatTerm(answer))
	_, err = ask(c, "ask_value(name, 'Who is it?', atom)")
	message, ok := IsNewQuestion(err)
	require.True(t, ok)
	require.Equal(t, "Who is it?", message)
}
