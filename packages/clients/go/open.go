package compliance

import "encoding/json"

// decodeOpen reads an object, and keeps the fields that it does not know.
func decodeOpen(data []byte, object any, extra *map[string]json.RawMessage, known ...string) error {
	if err := json.Unmarshal(data, object); err != nil {
		return err
	}
	*extra = nil
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for _, name := range known {
		delete(fields, name)
	}
	if len(fields) > 0 {
		*extra = fields
	}
	return nil
}

// encodeOpen writes an object and the fields that were kept.
func encodeOpen(object any, extra map[string]json.RawMessage) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil || len(extra) == 0 {
		return data, err
	}
	more, err := json.Marshal(extra)
	if err != nil {
		return nil, err
	}
	// Both are objects, and the second is not empty.
	if len(data) == len("{}") {
		return more, nil
	}
	return append(append(data[:len(data)-1], ','), more[1:]...), nil
}
