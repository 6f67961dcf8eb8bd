package compliance

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
)

// decodeOpen decodes a generated type and keeps unknown fields in extra. The struct tags of the known fields define
// their names and options. An optional field that is present but empty is also kept in extra so that encoding the
// object again includes the field.
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

// encodeOpen encodes a generated type and adds the fields in extra that the type doesn't define.
func encodeOpen(object any, extra map[string]json.RawMessage) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil || len(extra) == 0 {
		return data, err
	}
	fields := maps.Clone(extra)
	// The data is always a JSON object, because the encoded value is a struct.
	_ = json.Unmarshal(data, &fields)
	return json.Marshal(fields)
}
