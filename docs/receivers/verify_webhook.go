// Receives webhooks and verifies their signatures. Go 1.22 or newer, standard library only. See docs/receivers/go.md.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// JSON escape sequences. encoding/json escapes U+2028 and U+2029, canonical JSON does not.
var escapes = regexp.MustCompile(`\\(u202[89]|.)`)
var unescaped = map[string]string{`\u2028`: "\u2028", `\u2029`: "\u2029"}

// Verify reports whether body was signed with secret at most 300 seconds before now. Pass both headers as received.
func Verify(body []byte, signature, timestamp, secret string, now time.Time) bool {
	var value any
	var text strings.Builder
	encoder := json.NewEncoder(&text) // Sorts the keys and writes no spaces.
	encoder.SetEscapeHTML(false)
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || json.Unmarshal(body, &value) != nil || encoder.Encode(value) != nil {
		return false
	}
	canonical := escapes.ReplaceAllStringFunc(strings.TrimSuffix(text.String(), "\n"), func(escape string) string {
		if character, ok := unescaped[escape]; ok {
			return character
		}
		return escape
	})
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%s", timestamp, canonical)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(signature)) && now.Unix()-sentAt <= 300 // Constant time.
}

func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 65_536))
	for _, secret := range strings.Fields(os.Getenv("WEBHOOK_SECRET")) { // Two while a secret is rotated.
		if err == nil && Verify(body, r.Header.Get("X-Request-Signature"), r.Header.Get("X-Request-Timestamp"), secret, time.Now()) {
			log.Printf("verified %s %s", r.Header.Get("webhook-id"), body) // Store it, then return.
			return
		}
	}
	w.WriteHeader(http.StatusUnauthorized)
}

func main() {
	server := http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: http.HandlerFunc(receive), ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
