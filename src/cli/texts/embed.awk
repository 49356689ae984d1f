# Files as rows of a table in C: {"NAME", "TEXT"},
FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    printf "%s{\"%s\",", NR == 1 ? "" : "},\n", name
}
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    printf "\n \"%s\\n\"", $0
}
END { print "}," }
