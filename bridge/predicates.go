package bridge

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines what goals can say to the client. The library mcp is made of these
// predicates.

// Predicates returns the predicates that let goals talk to the client; give them to kb.Options. A program has to have
// them to be served. A goal that is not served may call them too, and nobody hears it.
func Predicates() []engine.Predicate {
	return []engine.Predicate{
		{Name: dialogue.ElicitPredicate, Arity: 3, Waits: true, Modes: "+text, +schema, -answer",
			Doc: "Asks the user."},
		{Name: dialogue.AskPredicate, Arity: 2, Waits: true, Modes: "+question, -answer",
			Doc: "Puts a question of any kind to the client."},
		{Name: dialogue.AskAllPredicate, Arity: 2, Waits: true, Modes: "+questions, -answers",
			Doc: "Puts several questions to the client at once."},
		{Name: "$mcp_log", Arity: 2, Call: logGoal, Modes: "+atom, +term",
			Doc: "Sends a log message to the client."},
		{Name: "$mcp_progress", Arity: 3, Call: progressGoal, Modes: "+number, +number, +text",
			Doc: "Tells the client how far the call is."},
		{Name: "$mcp_client", Arity: 1, Call: clientGoal, Modes: "-object",
			Doc: "Says who the client is and what it can do."},
		{Name: "$mcp_client_can", Arity: 1, Call: clientCanGoal, Modes: "+atom",
			Doc: "Is true of a capability of the client."},
		{Name: "$mcp_request_meta", Arity: 1, Call: requestMetaGoal, Modes: "-object",
			Doc: "Is the _meta member of the request."},
		{Name: "$mcp_close_stream", Arity: 1, Call: closeStreamGoal, Modes: "+number",
			Doc: "Lets the client fetch the reply later."},
		{Name: "$mcp_notify_resource", Arity: 1, Call: notifyGoal, Modes: "+atom",
			Doc: "Announces that a resource has changed."},
		{Name: "$mcp_add", Arity: 1, Call: addGoal, Modes: "+item",
			Doc: "Offers one more tool, prompt or resource."},
		{Name: "$mcp_remove", Arity: 2, Call: removeGoal, Modes: "+kind, +name",
			Doc: "Ends the offer of a tool, prompt or resource."},
	}
}

func progressGoal(c *engine.Call) (bool, error) {
	done, err := content.Number(c.Arg(0))
	if err != nil {
		return false, err
	}
	total, err := content.Number(c.Arg(1))
	if err != nil {
		return false, err
	}
	if cr, ok := c.Host().(*clientRequest); ok && !cr.quiet && cr.isTask() {
		cr.task.Load().report(done, total, content.Text(c.Arg(2)))
		return true, nil
	}
	cr := hearer(c)
	if cr == nil || cr.progress == nil {
		return true, nil
	}
	// A client that has gone hears nothing, and the goal does not mind.
	_ = cr.session.NotifyProgress(c.Context(), &mcp.ProgressNotificationParams{
		ProgressToken: cr.progress, Progress: done, Total: total, Message: content.Text(c.Arg(2))})
	return true, nil
}
