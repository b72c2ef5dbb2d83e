package cli

import (
	_ "embed"
	"html/template"
	"sync"
)

// Pages are the templates of the pages that commands write.
var Pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(pagesText)) })

//go:embed pages.html
var pagesText string
