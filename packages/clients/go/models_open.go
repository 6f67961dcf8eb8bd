package compliance

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
)

// decodeOpen decodes a generated type and keeps unknown fields in extra. A known field has its name and options from
// its tag. An optional field that is present but empty is also kept, so that the encoded object has it again.
func decodeOpen(data []byte, object any, extra *map[string]json.RawMessage, known ...string) error {
	*extra = nil
	err := errors.Join(json.Unmarshal(data, object), json.Unmarshal(data, extra))
	for _, tag := range known {
		name, options, _ := strings.Cut(tag, ",")
		if options != "omitempty" || !strings.Contains(`null [] {} ""`, string((*extra)[name])) {
			delete(*extra, name)
		}
	}
	return err
}

// encodeOpen encodes a generated type, including the fields in extra that it doesn't have.
func encodeOpen(object any, extra map[string]json.RawMessage) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil || len(extra) == 0 {
		return data, err
	}
	fields := maps.Clone(extra)
	// The data is a JSON object, because it was just encoded from a struct.
	_ = json.Unmarshal(data, &fields)
	return json.Marshal(fields)
}
