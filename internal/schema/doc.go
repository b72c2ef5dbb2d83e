// Package schema converts between JSON and Prolog terms by the types that mode/2 declares and by JSON Schemas.
//
// The types: [Codec.ParseType] compiles a type of a mode declaration to a [Type]. [Params] are the inputs or
// outputs of a predicate. Both have a JSON Schema and convert: [Codec.Arguments] from the JSON of a call to
// terms, [Codec.Results] from terms to JSON. type.go has the table of the types; decode.go and encode.go have
// their conversions in the order of the table.
//
// The schemas: a knowledge base writes a JSON Schema as a curly term. [Codec.SchemaJSON] converts it, [Compile]
// checks it and makes a [Schema], and [Codec.Compile] does both. [Schema.Validate] says all that is wrong with
// a value. [Codec.ArgumentsBy] reads the arguments of a call by such a schema.
//
// The errors: a value that does not fit is an error of type [Problems], which names every wrong part, so that a model
// can mend its call. A result that is too large wraps [ErrTooLarge].
//
// The JSON: [Object] keeps the order of members, which Go's maps do not.
//
// Types, Params, Schemas and Codecs do not change after they are made. Goroutines share them.
package schema
