package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/ichiban/prolog"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
)

// This file defines how the peers are asked.

func peers() []system {
	return []system{
		{name: "cel-go, the permits in a list", new: shareOf(func() (question, error) { return newCEL(listed) })},
		{name: "cel-go, the permits as keys", new: shareOf(func() (question, error) { return newCEL(keyed) })},
		{name: "OPA, PrepareForEval", new: shareOf(newOPA)},
		{name: "ichiban/prolog, text", new: newIchiban, slow: true}, // an interpreter belongs to a goroutine
	}
}

// shareOf makes one question for all goroutines.
func shareOf(ask func() (question, error)) func() (question, error) { return sync.OnceValues(ask) }

// The expressions of cel: one has the permits as they are, the other as the keys of a map made for this question.
const (
	listed = `user in roles && resource in kinds &&
permits.exists(p, p.role == roles[user] && p.action == "read" && p.kind == kinds[resource])`
	keyed = `user in roles && resource in kinds && (roles[user] + "/read/" + kinds[resource]) in keys`
)

func newCEL(text string) (question, error) {
	env, err := cel.NewEnv(cel.Variable("roles", cel.MapType(cel.StringType, cel.StringType)),
		cel.Variable("kinds", cel.MapType(cel.StringType, cel.StringType)),
		cel.Variable("permits", cel.ListType(cel.MapType(cel.StringType, cel.StringType))),
		cel.Variable("keys", cel.MapType(cel.StringType, cel.BoolType)),
		cel.Variable("user", cel.StringType), cel.Variable("resource", cel.StringType))
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	program, err := env.Program(ast, cel.InterruptCheckFrequency(100))
	if err != nil {
		return nil, err
	}
	roles, kinds, keys := map[string]string{}, map[string]string{}, map[string]bool{}
	for i := range users {
		roles[userName(i)], kinds[resourceName(i)] = role(i), kind(i)
	}
	var list []map[string]string
	for _, p := range permits {
		keys[p[0]+"/read/"+p[1]] = true
		list = append(list, map[string]string{"role": p[0], "action": "read", "kind": p[1]})
	}
	return func(ctx context.Context, i int) (bool, error) {
		user, resource := asked(i)
		value, _, err := program.ContextEval(ctx, map[string]any{"roles": roles, "kinds": kinds, "permits": list,
			"keys": keys, "user": user, "resource": resource})
		if err != nil {
			return false, err
		}
		return value.Value() == true, nil
	}, nil
}

func newOPA() (question, error) {
	roles, kinds, allowed := map[string]any{}, map[string]any{}, map[string]any{}
	for i := range users {
		roles[userName(i)], kinds[resourceName(i)] = role(i), kind(i)
	}
	for _, p := range permits {
		allowed[p[0]+"/read/"+p[1]] = true
	}
	store := inmem.NewFromObject(map[string]any{"roles": roles, "kinds": kinds, "permits": allowed})
	const module = `package access
default allow := false
allow if {
	role := data.roles[input.user]
	kind := data.kinds[input.resource]
	data.permits[concat("/", [role, "read", kind])]
}`
	query, err := rego.New(rego.Query("data.access.allow"), rego.Module("access.rego", module),
		rego.Store(store)).PrepareForEval(context.Background())
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, i int) (bool, error) {
		user, resource := asked(i)
		results, err := query.Eval(ctx, rego.EvalInput(map[string]any{"user": user, "resource": resource}))
		if err != nil {
			return false, err
		}
		return results.Allowed(), nil
	}, nil
}

func newIchiban() (question, error) {
	p := prolog.New(nil, nil)
	if err := p.Exec(strings.ReplaceAll(rules(), ", !.", ".")); err != nil {
		return nil, err
	}
	return func(ctx context.Context, i int) (bool, error) {
		user, resource := asked(i)
		err := p.QuerySolutionContext(ctx, fmt.Sprintf("allow(%s, read, %s).", user, resource)).Err()
		if err == sql.ErrNoRows || err == prolog.ErrNoSolutions {
			return false, nil
		}
		return err == nil, err
	}, nil
}
