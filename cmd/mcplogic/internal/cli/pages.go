package cli

import (
	_ "embed"
	"sync"
	"text/template"
)

// Pages are the templates of the pages that commands write.
var Pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(pagesText)) })

//go:embed pages.html
var pagesText string
