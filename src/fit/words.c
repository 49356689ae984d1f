/*
 * Words of published tables. Each question is one table of needles, first match wins, so that a
 * further source needs a row here and no code.
 */
#include "fit/words.h"

#include <string.h>

#include "base/num.h"
#include "base/str.h"

typedef struct word {
    const char *needle;
    int value;
} word;

bool gp_words_has(const char *text, const char *needle) {
    return gp_str_find_nocase(text, needle) != NULL;
}

static int first_match(const char *text, const word *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (gp_words_has(text, words[i].needle))
            return words[i].value;
    return GP_WORD_UNKNOWN;
}

static const word precisions[] = {
    {"mxfp8", GP_PRECISION_MXFP8}, {"nvfp4", GP_PRECISION_FP4},     {"fp8", GP_PRECISION_FP8},
    {"bf16", GP_PRECISION_BF16},   {"bfloat16", GP_PRECISION_BF16}, {"float16", GP_PRECISION_FP16},
    {"fp16", GP_PRECISION_FP16},   {"int8", GP_PRECISION_INT8},     {"tf32", GP_PRECISION_TF32},
    {"fp32", GP_PRECISION_FP32},   {"float32", GP_PRECISION_FP32},
};

int gp_words_precision(const char *text) {
    static const char *const open[] = {" or ", "not checked", "/fp8 not stated", "unstated"};
    if (text == NULL)
        return GP_WORD_UNKNOWN;
    for (size_t i = 0; i < GP_COUNT_OF(open); i++)
        if (gp_words_has(text, open[i]))
            return GP_WORD_AMBIGUOUS;
    /* The word that comes first decides: "fp8(linear)/fp32 params", "bf16 base, fp32 adapter". */
    const char *best = NULL;
    int value = GP_WORD_UNKNOWN;
    for (size_t i = 0; i < GP_COUNT_OF(precisions); i++) {
        const char *at = gp_str_find_nocase(text, precisions[i].needle);
        if (at != NULL && (best == NULL || at < best)) {
            best = at;
            value = precisions[i].value;
        }
    }
    return value;
}

bool gp_words_starts(const char *text, const char *needle) {
    return text != NULL && gp_str_starts_nocase(text, needle);
}

double gp_words_experts(const char *text) {
    const char *at = gp_str_find_nocase(text, "-ep");
    double value = 0;
    if (at == NULL)
        return 0;
    at += strlen("-ep");
    return gp_num_parse(at, gp_num_scan(at, strcspn(at, "-")), &value) ? value : 0;
}

int gp_words_recompute(const char *text) {
    static const word words[] = {
        {"partial", GP_RECOMPUTE_SELECTIVE},   {"full", GP_RECOMPUTE_FULL},
        {"selective", GP_RECOMPUTE_SELECTIVE}, {"custom", GP_RECOMPUTE_SELECTIVE},
        {"none", GP_RECOMPUTE_NONE},
    };
    return first_match(text, words, GP_COUNT_OF(words));
}

int gp_words_zero(const char *text) {
    static const word words[] = {
        {"fsdp=0", 1},
        {"grad_op", 2},
        {"zero2", 2},
        {"zero-2", 2},
        {"zero3", 3},
        {"zero-3", 3},
        {"zero1", 1},
        {"zero-1", 1},
        {"fsdp", 3},
        {"dist-opt", 1},
        {"distributed optim", 1},
        {"ddp", 0},
        {"full shard", 3},
        {"none", 0},
    };
    bool stage = text != NULL && text[0] >= '0' && text[0] <= '3' && text[1] == '\0';
    return stage ? text[0] - '0' : first_match(text, words, GP_COUNT_OF(words));
}

double gp_words_shard(const char *text) {
    const char *at = gp_str_find_nocase(text, "shard ");
    double value = 0;
    if (at == NULL)
        return 0;
    at += strlen("shard ");
    if (gp_str_starts_nocase(at, "group "))
        at += strlen("group ");
    return gp_num_parse(at, gp_num_scan(at, strlen(at)), &value) ? value : 0;
}

int gp_words_quant(const char *text) {
    static const word words[] = {
        {"nf4", GP_FORMAT_NF4},   {"bnb-4bit", GP_FORMAT_NF4}, {"gptq-int8", GP_FORMAT_INT8},
        {"gptq", GP_FORMAT_INT4}, {"int4", GP_FORMAT_INT4},    {"bnb-8bit", GP_FORMAT_INT8},
        {"8bit", GP_FORMAT_INT8}, {"int8", GP_FORMAT_INT8},    {"4bit", GP_FORMAT_NF4},
        {"fp8", GP_FORMAT_FP8},
    };
    return first_match(text, words, GP_COUNT_OF(words));
}

int gp_words_optimizer(const char *text) {
    static const word words[] = {
        {"8bit", GP_OPTIMIZER_ADAMW_8BIT},
        {"bf16", GP_OPTIMIZER_ADAMW_BF16},
        {"adafactor", GP_OPTIMIZER_ADAFACTOR},
        {"muon", GP_OPTIMIZER_MUON},
        {"sgd", GP_OPTIMIZER_SGD},
        {"adam", GP_OPTIMIZER_ADAMW},
    };
    return first_match(text, words, GP_COUNT_OF(words));
}

int gp_words_loss(const char *text) {
    static const word words[] = {
        {"fused", GP_LOSS_FUSED}, {"liger", GP_LOSS_CHUNKED},     {"chunked", GP_LOSS_CHUNKED},
        {"eager", GP_LOSS_EAGER}, {"parallel", GP_LOSS_PARALLEL},
    };
    int loss = first_match(text, words, GP_COUNT_OF(words));
    return loss == GP_WORD_UNKNOWN ? GP_LOSS_AUTO : loss;
}

/* What stands for which matrices; a name that is a part of another comes after it. */
static const struct {
    const char *needle;
    const char *names[5];
} target_words[] = {
    {"all", {"all"}},
    {"linear_qkv", {"q_proj", "k_proj", "v_proj"}},
    {"linear_proj", {"o_proj"}},
    {"qkvo", {"q_proj", "k_proj", "v_proj", "o_proj"}},
    {"query_key_value", {"q_proj", "k_proj", "v_proj"}},
    {"c_attn", {"q_proj", "k_proj", "v_proj"}},
};
static const struct {
    const char *word;
    const char *name;
} target_names[] = {
    {"q", "q_proj"},
    {"q_proj", "q_proj"},
    {"k", "k_proj"},
    {"k_proj", "k_proj"},
    {"v", "v_proj"},
    {"v_proj", "v_proj"},
    {"o", "o_proj"},
    {"o_proj", "o_proj"},
    {"gate", "gate_proj"},
    {"up", "up_proj"},
    {"down", "down_proj"},
    {"up_proj", "up_proj"},
    {"kv", "v_proj"},
    {"attn_vec", "o_proj"},
    {"gate_proj", "gate_proj"},
    {"down_proj", "down_proj"},
};

static size_t add_target(const char **items, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(items[i], name) == 0)
            return count;
    if (count < GP_TARGET_MAX)
        items[count++] = name;
    return count;
}

size_t gp_words_targets(const char *text, const char *ret_items[GP_TARGET_MAX]) {
    size_t count = 0;
    if (text == NULL)
        return 0;
    for (size_t i = 0; i < GP_COUNT_OF(target_words); i++)
        for (size_t j = 0; gp_words_has(text, target_words[i].needle) && j < 5; j++)
            if (target_words[i].names[j] != NULL)
                count = add_target(ret_items, count, target_words[i].names[j]);
    for (const char *c = text; *c != '\0';) {
        size_t len = strcspn(c, ", ");
        for (size_t i = 0; i < GP_COUNT_OF(target_names); i++)
            if (gp_str_is(c, len, target_names[i].word))
                count = add_target(ret_items, count, target_names[i].name);
        c += len;
        c += strspn(c, ", ");
    }
    return count;
}

static const double bits_per_gigabit = 1e9; /* definition */

/* The unit of a network rate behind a number, in any of the ways pages print it. */
static bool is_rate_unit(const char *text) {
    static const char *const units[] = {"Gb/s", "Gbit/s", "Gbps", "GbE", "G Ethernet"};
    while (*text == ' ')
        text++;
    for (size_t i = 0; i < GP_COUNT_OF(units); i++)
        if (gp_str_starts_nocase(text, units[i]))
            return true;
    return *text == 'G' && (text[1] == '\0' || text[1] == ' '); /* "8x400G" */
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* "8x" or "8 x" before `at`. */
static double count_before(const char *text, const char *at) {
    const char *c = at;
    double value = 0;
    while (c > text && (c[-1] == ' ' || c[-1] == 'x'))
        c--;
    bool times = c < at && memchr(c, 'x', (size_t)(at - c)) != NULL;
    const char *end = c;
    while (c > text && is_digit(c[-1]))
        c--;
    return times && c < end && gp_num_parse(c, (size_t)(end - c), &value) ? value : 0;
}

/* "8x" before a product name: "8x ConnectX-7 IB NDR 400Gb/s". */
static double count_in(const char *text, const char *end) {
    for (const char *c = text; c < end; c++) {
        size_t len = gp_num_scan(c, (size_t)(end - c));
        bool alone = c == text || !is_digit(c[-1]);
        double value = 0;
        if (alone && len > 0 && c[len] == 'x' && c[len + 1] == ' ' && gp_num_parse(c, len, &value))
            return value;
        c += len > 0 ? len - 1 : 0;
    }
    return 0;
}

double gp_words_link(const char *text, bool *ret_per_gpu) {
    const char *compute = gp_str_find_nocase(text, "compute");
    const char *from = compute != NULL ? compute : text;
    *ret_per_gpu = gp_words_has(text, "per GPU");
    for (const char *c = from; c != NULL && *c != '\0'; c++) {
        size_t len = is_digit(*c) ? gp_num_scan(c, strlen(c)) : 0;
        double rate = 0;
        if (len == 0)
            continue;
        if (is_rate_unit(c + len) && gp_num_parse(c, len, &rate)) {
            double count = count_before(from, c);
            count = count > 0 ? count : count_in(from, c);
            return rate * bits_per_gigabit * (count > 0 ? count : 1);
        }
        c += len - 1;
    }
    return 0;
}

const char *gp_words_generation(const char *text, double *ret_ports) {
    static const char *const generations[] = {"XDR", "NDR", "HDR", "EDR"};
    static const char *const names[] = {"xdr", "ndr", "hdr", "edr"};
    *ret_ports = 0;
    for (size_t i = 0; i < GP_COUNT_OF(generations); i++) {
        if (text == NULL || strstr(text, generations[i]) == NULL)
            continue;
        const char *ports = strstr(text, " HCA");
        const char *begin = ports;
        while (begin != NULL && begin > text && is_digit(begin[-1]))
            begin--;
        if (begin != NULL && begin < ports)
            (void)gp_num_parse(begin, (size_t)(ports - begin), ret_ports);
        return names[i];
    }
    return NULL;
}

/* The month that stands in words before a year ("Feb 2026"), 1 to 12; 0: none. */
static int64_t month_before(const char *text, const char *year) {
    static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                         "jul", "aug", "sep", "oct", "nov", "dec"};
    const char *end = year > text && year[-1] == ' ' ? year - 1 : NULL;
    for (size_t i = 0; end != NULL && i < GP_COUNT_OF(months); i++) {
        size_t len = strlen(months[i]);
        if ((size_t)(end - text) >= len && gp_str_starts_nocase(end - len, months[i]))
            return (int64_t)i + 1;
    }
    return 0;
}

/* A month as pages write it: four digits and two, two and two, or its name and a year. */
int64_t gp_words_release(const char *text) {
    int64_t year_alone = 0;
    for (const char *c = text; c != NULL && *c != '\0'; c++) {
        if (!is_digit(*c) || (c > text && (is_digit(c[-1]) || c[-1] == '.')))
            continue;
        size_t year = strspn(c, "0123456789");
        bool parted = c[year] == '.' || c[year] == '-';
        size_t month = parted ? strspn(c + year + 1, "0123456789") : 0;
        if ((year == 2 || (year == 4 && gp_str_starts_nocase(c, "20"))) && month == 2) {
            const char *y = year == 4 ? c + 2 : c;
            const char *m = c + year + 1;
            return (y[0] - '0') * 1000 + (y[1] - '0') * 100 + (m[0] - '0') * 10 + (m[1] - '0');
        }
        if (year == 4 && !parted && gp_str_starts_nocase(c, "20") && year_alone == 0)
            year_alone = ((c[2] - '0') * 10 + (c[3] - '0')) * 100 + month_before(text, c);
        c += year - 1;
    }
    return year_alone;
}

double gp_words_number(const char *text, const char *key) {
    double value = 0;
    for (const char *at = gp_str_find_nocase(text, key); at != NULL;
         at = gp_str_find_nocase(at, key)) {
        at += strlen(key);
        const char *c = at + strspn(at, " =~");
        size_t len = gp_num_scan(c, strlen(c));
        if (len > 0 && gp_num_parse(c, len, &value))
            return value;
    }
    return 0;
}

int64_t gp_words_version(const char *text) {
    for (const char *c = text; c != NULL && *c != '\0'; c++) {
        size_t major = strspn(c, "0123456789");
        size_t minor = c[major] == '.' ? strspn(c + major + 1, "0123456789") : 0;
        int64_t first = 0, second = 0;
        if (major > 0 && major < 3 && minor > 0 && minor < 3 &&
            gp_num_parse_i64(c, major, &first) && gp_num_parse_i64(c + major + 1, minor, &second))
            return first * 100 + second;
        c += major > 0 ? major - 1 : 0;
    }
    return 0;
}

static bool is_break(char c) {
    return c == ';' || c == ' ' || c == '\0';
}

const char *gp_notes_value(const char *notes, const char *key, size_t *ret_len) {
    size_t key_len = strlen(key);
    *ret_len = 0;
    for (const char *c = notes; c != NULL && *c != '\0'; c++) {
        bool starts = c == notes || is_break(c[-1]);
        if (!starts || strncmp(c, key, key_len) != 0 || c[key_len] != '=')
            continue;
        const char *value = c + key_len + 1;
        while (!is_break(value[*ret_len]))
            ++*ret_len;
        return value;
    }
    return NULL;
}

double gp_notes_number(const char *notes, const char *key) {
    size_t len = 0;
    const char *text = gp_notes_value(notes, key, &len);
    double value = 0;
    if (text == NULL || !gp_num_parse(text, gp_num_scan(text, len), &value))
        return 0;
    return value;
}
