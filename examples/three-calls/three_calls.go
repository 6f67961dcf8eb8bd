// Usage: go run three_calls.go https://your-shop.example
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	compliance "github.com/portfolio-compliance/compliance-go"
)

func main() {
	shop := os.Args[1]
	ctx := context.Background()
	client, err := compliance.New("") // reads COMPLIANCE_API_KEY and COMPLIANCE_BASE_URL
	check(err)

	answer, err := client.Tariff.HTS.Lookup(ctx, []string{"7318.15.2061"}, compliance.AsOf("2026-10-01"))
	check(err)
	fmt.Println(answer.Results[0].Code, answer.Results[0].Status)

	scan, err := client.Pixel.Scan(ctx, shop)
	check(err)
	fmt.Println(shop, scan.Score, scan.Findings[0].Message)

	helmet, err := os.ReadFile("helmet.json")
	check(err)
	var request compliance.GccGenerateRequest
	check(json.Unmarshal(helmet, &request))
	made, err := client.Entry.GCC.Generate(ctx, request)
	check(err)
	fmt.Println(made.GCCID, made.Completeness.Status)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
