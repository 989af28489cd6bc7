"""The parts of the API's answers that this program shows or acts on, one module a noun."""
