# The image that `docker build .` makes of a clone: the command alone, run by nobody in particular. Rules are mounted:
#
#   docker run --rm --read-only -p 8080:8080 -v "$PWD/rules:/rules:ro" mcplogic
FROM golang:1.26 AS build
WORKDIR /src
COPY . .
RUN CGO_ENABLED=0 go build -tags sqlite -trimpath -ldflags="-s -w" -o /mcplogic ./cmd/mcplogic

FROM scratch
COPY --from=build /mcplogic /mcplogic
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
USER 65532:65532
EXPOSE 8080
HEALTHCHECK CMD ["/mcplogic", "health"]
ENTRYPOINT ["/mcplogic"]
CMD ["serve", "--http", "0.0.0.0:8080", "/rules"]
