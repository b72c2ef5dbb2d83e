package tables

import (
	"encoding/xml"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the elements of a DMN model for encoding/xml.

type (
	dmnModel struct {
		XMLName   xml.Name   `xml:"definitions"`
		Items     []dmnItem  `xml:"itemDefinition"`
		Inputs    []dmnNode  `xml:"inputData"`
		Decisions []dmnNode  `xml:"decision"`
		Knowledge []dmnNode  `xml:"businessKnowledgeModel"`
		Services  []dmnNode  `xml:"decisionService"`
		Imports   []struct{} `xml:"import"`
	}
	dmnItem struct {
		Name       string    `xml:"name,attr"`
		Collection bool      `xml:"isCollection,attr"`
		Type       string    `xml:"typeRef"`
		Components []dmnItem `xml:"itemComponent"`
		Allowed    string    `xml:"allowedValues>text"`
		Constraint string    `xml:"typeConstraint>text"`
		Function   *struct {
			Result     string     `xml:"outputTypeRef,attr"`
			Parameters []dmnNamed `xml:"parameters"`
		} `xml:"functionItem"`
	}
	// dmnNode is a decision, an input, a business knowledge model or a decision service.
	dmnNode struct {
		ID          string   `xml:"id,attr"`
		Name        string   `xml:"name,attr"`
		Description string   `xml:"description"`
		Variable    dmnNamed `xml:"variable"`
		Inputs      []dmnRef `xml:"informationRequirement>requiredInput"`
		Decisions   []dmnRef `xml:"informationRequirement>requiredDecision"`
		Logic       struct {
			Parameters []dmnNamed `xml:"formalParameter"`
			Type       string     `xml:"typeRef,attr"`
			dmnExpression
		} `xml:"encapsulatedLogic"`
		Outputs        []dmnRef `xml:"outputDecision"`
		GivenInputs    []dmnRef `xml:"inputData"`
		GivenDecisions []dmnRef `xml:"inputDecision"`
		dmnExpression
		at Place
	}
	dmnNamed struct {
		Name string `xml:"name,attr"`
		Type string `xml:"typeRef,attr"`
	}
	dmnRef struct {
		Href string `xml:"href,attr"`
	}
	// dmnExpression has one of the kinds of expressions.
	dmnExpression struct {
		Literal    *dmnText       `xml:"literalExpression"`
		Table      *dmnTable      `xml:"decisionTable"`
		Context    *dmnContext    `xml:"context"`
		Invocation *dmnInvocation `xml:"invocation"`
		List       *dmnList       `xml:"list"`
		Relation   *dmnRelation   `xml:"relation"`
		Function   *dmnFunction   `xml:"functionDefinition"`
		If         *dmnIf         `xml:"conditional"`
		Filter     *dmnLoop       `xml:"filter"`
		For        *dmnLoop       `xml:"for"`
		Some       *dmnLoop       `xml:"some"`
		Every      *dmnLoop       `xml:"every"`
	}
	dmnIf struct {
		If   dmnExpression `xml:"if"`
		Then dmnExpression `xml:"then"`
		Else dmnExpression `xml:"else"`
	}
	dmnLoop struct {
		Variable  string        `xml:"iteratorVariable,attr"`
		In        dmnExpression `xml:"in"`
		Return    dmnExpression `xml:"return"`
		Satisfies dmnExpression `xml:"satisfies"`
		Match     dmnExpression `xml:"match"`
	}
	dmnText struct {
		Type string `xml:"typeRef,attr"`
		Text string `xml:"text"`
		at   Place
	}
	dmnTable struct {
		Hit         string      `xml:"hitPolicy,attr"`
		Aggregation string      `xml:"aggregation,attr"`
		Inputs      []dmnInput  `xml:"input"`
		Outputs     []dmnOutput `xml:"output"`
		Rules       []dmnRule   `xml:"rule"`
		at          Place
	}
	dmnInput struct {
		Expression dmnText `xml:"inputExpression"`
	}
	dmnOutput struct {
		dmnNamed
		Values  string   `xml:"outputValues>text"`
		Default *dmnText `xml:"defaultOutputEntry"`
	}
	dmnRule struct {
		Inputs  []dmnText `xml:"inputEntry"`
		Outputs []dmnText `xml:"outputEntry"`
		Notes   []dmnText `xml:"annotationEntry"`
		at      Place
	}
	dmnContext struct {
		Entries []struct {
			Variable dmnNamed `xml:"variable"`
			dmnExpression
		} `xml:"contextEntry"`
	}
	dmnInvocation struct {
		Called   dmnText `xml:"literalExpression"`
		Bindings []struct {
			Parameter dmnNamed `xml:"parameter"`
			dmnExpression
		} `xml:"binding"`
	}
	dmnList struct {
		Literals []dmnText `xml:"literalExpression"`
	}
	dmnRelation struct {
		Columns []dmnNamed `xml:"column"`
		Rows    []dmnList  `xml:"row"`
	}
	dmnFunction struct {
		Parameters []dmnNamed `xml:"formalParameter"`
		dmnExpression
	}
)

// elementAt returns the place of the element that a decoder has just begun.
func elementAt(d *xml.Decoder) Place {
	line, column := d.InputPos()
	return Place{Place: syntax.Place{Line: line, Column: column}}
}

// UnmarshalXML keeps the place of the element.
func (t *dmnText) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain dmnText
	t.at = elementAt(d)
	return d.DecodeElement((*plain)(t), &start)
}

// UnmarshalXML keeps the place of the element.
func (t *dmnTable) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain dmnTable
	t.at = elementAt(d)
	return d.DecodeElement((*plain)(t), &start)
}

// UnmarshalXML keeps the place of the element.
func (t *dmnRule) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain dmnRule
	t.at = elementAt(d)
	return d.DecodeElement((*plain)(t), &start)
}

// UnmarshalXML keeps the place of the element.
func (t *dmnNode) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain dmnNode
	t.at = elementAt(d)
	return d.DecodeElement((*plain)(t), &start)
}
