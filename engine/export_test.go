package engine

// CodeWords returns the size of the program's code.
func CodeWords(p *Program) int { return len(p.db.Code()) }

// PredCount and ModuleCount return how many predicates and modules there are, undefined ones
// included.
func PredCount(p *Program) int   { return len(p.db.Preds()) }
func ModuleCount(p *Program) int { return len(p.db.Modules()) }
