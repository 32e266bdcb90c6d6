# Foyer in one small image. Postgres and photos live outside: see docker-compose.yml.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY tools/nolib tools/nolib
RUN go mod download
COPY . .
ARG VERSION=0
RUN CGO_ENABLED=0 GOMEMLIMIT=3GiB go build -trimpath -ldflags "-s -w -X main.build=${VERSION}" -o /foyer ./cmd/foyer

# The same program with Postgres's own, which "foyer backup" and "foyer restore" call: of the version of the server in
# docker-compose.yml.
FROM postgres:15 AS operations
COPY --from=build /foyer /usr/local/bin/foyer
ENV FOYER_DATA_DIR=/data
ENTRYPOINT ["foyer"]

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /foyer /foyer
ENV FOYER_DATA_DIR=/data
EXPOSE 8080
ENTRYPOINT ["/foyer"]
CMD ["serve", "--with-worker", "--migrate"]
