module github.com/portfolio-compliance/compliance-go

go 1.21
