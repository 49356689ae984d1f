# The members of gp_constants, from the comments behind the ids of src/catalog/constants/:
#
#     - id: serving.step # serving_step_s, time: Fixed time of one engine step.
#
# member, dimension (as in GP_DIM_TIME), meaning. An element of an array is written with its index.
/^ *- id: / {
    if ($0 !~ /^ *- id: [^ ]+ # [a-z0-9_]+(\[[A-Z0-9_]+\])?, [a-z-]+: /) {
        print FILENAME ":" FNR ": no comment says which member this is" >"/dev/stderr"
        exit 1
    }
    dim = $6
    gsub(/-/, "_", dim)
    macro = $5 ~ /\[/ ? "GP_CONSTANT_AT" : "GP_CONSTANT"
    meaning = $0
    sub(/^[^#]*# [^:]*: /, "", meaning)
    printf "%s(%s \"%s\", GP_DIM_%s, \"%s\")\n", macro, $5, $3, toupper(substr(dim, 1, length(dim) - 1)), meaning
}
