package control

import (
	"net/http"

	"github.com/agentsandbox/agent-sandbox/sandboxclient/api"
)

func (h *Handler) templates(w http.ResponseWriter, _ *http.Request) error {
	list := make([]api.Template, 0, len(h.cfg.Templates))
	for _, id := range h.cfg.Templates {
		list = append(list, api.Template{
			TemplateID: id, Aliases: []string{id}, Names: []string{id}, Public: true, BuildStatus: "ready",
			CPUCount: h.cfg.Shape.CPUCount, MemoryMB: h.cfg.Shape.MemoryMB, DiskSizeMB: h.cfg.Shape.DiskSizeMB,
			EnvdVersion: h.cfg.Profile.EnvdVersion,
		})
	}
	writeJSON(w, http.StatusOK, list)
	return nil
}
