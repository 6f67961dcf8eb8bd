module vectors

go 1.21

require github.com/portfolio-compliance/compliance-go v0.0.0

replace github.com/portfolio-compliance/compliance-go => ../../../go
