package fcdeploy

import (
	"encoding/json"
	"fmt"
)

type ramPolicy struct {
	Version   string
	Statement []ramStatement
}

type ramStatement struct {
	Effect   string
	Action   []string
	Resource []string
}

// ramPolicy grants what deploying this spec needs, and nothing else.
func (s *Spec) ramPolicy() ([]byte, error) {
	function := fmt.Sprintf("acs:fc:%s:*:functions/%s", s.Region, s.Name)
	statements := []ramStatement{{
		Effect: "Allow",
		Action: []string{
			"fc:CreateFunction", "fc:GetFunction", "fc:UpdateFunction", "fc:DeleteFunction",
			"fc:CreateTrigger", "fc:GetTrigger", "fc:ListTriggers", "fc:UpdateTrigger", "fc:DeleteTrigger",
			"fc:GetScalingConfig", "fc:PutScalingConfig", "fc:DeleteScalingConfig",
		},
		Resource: []string{function, function + "/*"},
	}}
	if s.Domain != nil {
		statements = append(statements, ramStatement{
			Effect:   "Allow",
			Action:   []string{"fc:CreateCustomDomain", "fc:GetCustomDomain", "fc:UpdateCustomDomain", "fc:DeleteCustomDomain"},
			Resource: []string{fmt.Sprintf("acs:fc:%s:*:custom-domains/%s", s.Region, s.Domain.Name)},
		})
	}
	if s.FCAPI == API2 {
		statements = s.servicePolicy()
	}
	text, err := json.MarshalIndent(&ramPolicy{Version: "1", Statement: statements}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode policy: %w", err)
	}
	return append(text, '\n'), nil
}

// servicePolicy is the policy for FC 2.0, where functions live in a service.
func (s *Spec) servicePolicy() []ramStatement {
	service := fmt.Sprintf("acs:fc:%s:*:services/%s", s.Region, s.Name)
	return []ramStatement{{
		Effect: "Allow",
		Action: []string{
			"fc:CreateService", "fc:GetService", "fc:DeleteService", "fc:ListFunctions",
			"fc:CreateFunction", "fc:GetFunction", "fc:UpdateFunction", "fc:DeleteFunction",
			"fc:CreateTrigger", "fc:GetTrigger", "fc:ListTriggers", "fc:UpdateTrigger", "fc:DeleteTrigger",
		},
		Resource: []string{service, service + "/*"},
	}}
}
