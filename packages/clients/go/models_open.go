package compliance

import "encoding/json"

// decodeOpen reads one of the generated types, and keeps the fields that it does not know.
func decodeOpen(data []byte, object any, extra *map[string]json.RawMessage, known ...string) error {
	if err := json.Unmarshal(data, object); err != nil {
		return err
	}
	*extra = nil
	err := json.Unmarshal(data, extra)
	for _, name := range known {
		delete(*extra, name)
	}
	return err
}

// encodeOpen writes one of the generated types, and the fields that were kept.
func encodeOpen(object any, extra map[string]json.RawMessage) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil || len(extra) == 0 {
		return data, err
	}
	more, err := json.Marshal(extra)
	if err != nil || string(data) == "{}" {
		return more, err
	}
	return append(append(data[:len(data)-1], ','), more[1:]...), nil
}
