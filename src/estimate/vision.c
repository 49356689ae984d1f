/*
 * Tokens of images: what a model's image processor makes of a size in pixels. Each rule follows the
 * code that ships with its models (the rows of the catalogue's `processors` name it), rounding
 * included, so that the counts are exact (docs/formulas.md, "Images").
 */
#include <math.h>

#include "base/num.h"
#include "estimate/estimate.h"

typedef struct picture {
    const gp_image_processor *rule;
    double patch, merge;  /* edges: of a patch in pixels, of a token in patches */
    double width, height; /* pixels, */
    double most_pixels;   /* and the largest area; 0: no limit */
} picture;

/* Tokens of a picture side by side and one below the other, on each of its tiles. */
typedef struct token_grid {
    double columns, rows, tiles;
} token_grid;

static double token_edge(const picture *p) {
    return p->patch * p->merge;
}

/* The multiple of `step` next to `value`; of two as near the even one, as Python rounds. */
static double nearest(double value, double step) {
    return nearbyint(value / step);
}

static double whole_down(double value, double step) {
    return gp_num_max((double)gp_num_floor_count(value / step), 1);
}

static double whole_up(double value, double step) {
    return (double)gp_num_ceil_count(value / step);
}

static token_grid round_grid(const picture *p) {
    const double edge = token_edge(p);
    const double grow = gp_num_max(gp_num_max(edge / p->width, edge / p->height), 1);
    const double width = p->width * grow, height = p->height * grow;
    token_grid grid = {nearest(width, edge), nearest(height, edge), 1};
    const double area = grid.columns * grid.rows * edge * edge;
    const double least = (double)p->rule->min_pixels;
    if (p->most_pixels > 0 && area > p->most_pixels) {
        const double shrink = sqrt(width * height / p->most_pixels);
        grid = (token_grid){whole_down(width / shrink, edge), whole_down(height / shrink, edge), 1};
    } else if (area < least) {
        const double stretch = sqrt(least / (width * height));
        grid = (token_grid){whole_up(width * stretch, edge), whole_up(height * stretch, edge), 1};
    }
    return grid;
}

static token_grid pad_grid(const picture *p) {
    const double patches = floor(p->width / p->patch) * floor(p->height / p->patch);
    const double most = (double)p->rule->max_patches;
    const double scale = most > 0 && patches > most ? sqrt(most / patches) : 1;
    const double edge = token_edge(p);
    return (token_grid){gp_num_max(whole_up(floor(p->width * scale), edge), 1),
                        gp_num_max(whole_up(floor(p->height * scale), edge), 1), 1};
}

static token_grid fill_grid(const picture *p) {
    const double area = (double)p->rule->max_patches * p->patch * p->patch;
    const double scale = sqrt(area / (p->width * p->height));
    const double edge = token_edge(p);
    return (token_grid){whole_down(scale * p->width, edge), whole_down(scale * p->height, edge), 1};
}

static token_grid rows_grid(const picture *p) {
    const double longest = gp_num_max(p->width, p->height);
    const double shrink = gp_num_max(longest / (double)p->rule->max_edge, 1);
    const double edge = token_edge(p);
    return (token_grid){gp_num_max(whole_up(floor(p->width / shrink), edge), 1),
                        gp_num_max(whole_up(floor(p->height / shrink), edge), 1), 1};
}

static token_grid square_grid(double pixels, double edge, double tiles) {
    const double side = floor(pixels / edge);
    return (token_grid){side, side, tiles};
}

/* What a grid of tiles makes of a picture: the scale that fills it. */
static double scale_to(const picture *p, double across, double down) {
    const double tile = (double)p->rule->tile;
    return gp_num_min(across * tile / p->width, down * tile / p->height);
}

/* Enlarge as little as can be; where every grid is too small, shrink as little as can be. */
static bool scales_better(double scale, double best) {
    const bool holds = scale >= 1;
    return holds != (best >= 1) ? holds : holds ? scale < best : scale > best;
}

static token_grid tiles_grid(const picture *p) {
    const int64_t most = p->rule->max_tiles;
    double best = 0, tiles = 1;
    for (int64_t across = 1; across <= most; across++) {
        for (int64_t down = 1; across * down <= most; down++) {
            const double scale = scale_to(p, (double)across, (double)down);
            const double count = (double)(across * down);
            const bool same = !scales_better(scale, best) && !scales_better(best, scale);
            if (scales_better(scale, best) || (same && count < tiles)) {
                best = scale;
                tiles = count;
            }
        }
    }
    return square_grid((double)p->rule->tile, token_edge(p), tiles);
}

/* Of grids as near, the larger one where the picture fills at least half of it. */
static token_grid aspect_grid(const picture *p) {
    const int64_t most = p->rule->max_tiles;
    const double aspect = p->width / p->height, area = p->width * p->height;
    const double tile = (double)p->rule->tile;
    double best = HUGE_VAL, tiles = 1;
    for (int64_t count = 1; count <= most; count++) {
        for (int64_t across = 1; across <= count; across++) {
            if (count % across != 0)
                continue;
            const double off = fabs(aspect - (double)(across * across) / (double)count);
            const bool fills = area > 0.5 * tile * tile * (double)count;
            if (off < best || (!(off > best) && fills)) {
                best = off;
                tiles = (double)count;
            }
        }
    }
    return square_grid(tile, token_edge(p), tiles);
}

typedef token_grid grid_rule(const picture *p);

static grid_rule *const grid_rules[GP_IMAGE_RULE_COUNT] = {
    [GP_IMAGE_ROUND] = round_grid, [GP_IMAGE_PAD] = pad_grid,     [GP_IMAGE_FILL] = fill_grid,
    [GP_IMAGE_ROWS] = rows_grid,   [GP_IMAGE_TILES] = tiles_grid, [GP_IMAGE_ASPECT] = aspect_grid,
};

/* Every image becomes as many tokens: of the size that it is resized to. */
static gp_image_cost fixed_cost(const gp_vision *vision, const picture *p) {
    const double side = p->patch > 0 ? floor((double)vision->image_size / p->patch) : 0;
    const double tokens = (double)gp_num_max_i64(p->rule->tokens, vision->tokens_per_image);
    const double patches = side > 0 ? side * side : tokens * p->merge * p->merge;
    return (gp_image_cost){
        .tokens = tokens > 0 ? tokens : patches / (p->merge * p->merge),
        .patches = patches,
        .attended = patches,
    };
}

static gp_image_cost grid_cost(const picture *p, const token_grid *grid) {
    const gp_image_processor *rule = p->rule;
    const double each = grid->columns * grid->rows;
    const double more = rule->overview && grid->tiles > 1 ? 1 : 0;
    const double ends = rule->rule == GP_IMAGE_ROWS ? grid->rows : 0;
    const double marks =
        (double)rule->marks + (grid->tiles > 1 ? grid->tiles * (double)rule->tile_marks : 0);
    const double own = (grid->tiles + more) * each;
    const double attended = each * p->merge * p->merge;
    return (gp_image_cost){
        .tokens = rule->tokens > 0 ? (double)rule->tokens : own + ends + marks,
        .patches = own * p->merge * p->merge,
        .attended = attended,
        .keys = rule->cross_attention ? grid->tiles * (attended + 1) : 0, /* and its class */
    };
}

/* A tower that reads several frames at once reads an image as that many of the same. */
static double most_pixels(const gp_image_processor *rule, double frames) {
    const double image = (double)rule->max_pixels;
    if (!(frames > 0))
        return image;
    const double frame = rule->frame_pixels > 0 ? (double)rule->frame_pixels : image;
    const double shared = (double)rule->video_pixels / frames;
    return shared > 0 && (shared < frame || !(frame > 0)) ? shared : frame;
}

static double first_size(int64_t own, int64_t otherwise) {
    return (double)(own > 0 ? own : otherwise);
}

bool gp_image_cost_of(const gp_vision *vision, double width, double height, double frames,
                      gp_image_cost *ret) {
    const gp_image_processor *rule = &vision->processor;
    const double together = (double)gp_num_max_i64(vision->temporal_patch, 1);
    const double times = frames > 0 ? (double)gp_num_ceil_count(frames / together) : 1;
    const picture p = {
        .rule = rule,
        .patch = first_size(vision->patch, rule->patch),
        .merge = gp_num_max(first_size(rule->merge, vision->merge), 1),
        .width = width,
        .height = height,
        .most_pixels = most_pixels(rule, frames > 0 ? times * together : 0),
    };
    *ret = (gp_image_cost){0};
    if (grid_rules[rule->rule] != NULL && p.patch > 0 && width > 0 && height > 0) {
        const token_grid grid = grid_rules[rule->rule](&p);
        *ret = grid_cost(&p, &grid);
    } else if (rule->rule == GP_IMAGE_FIXED || vision->tokens_per_image > 0) {
        *ret = fixed_cost(vision, &p);
    }
    ret->tokens *= times;
    ret->patches *= times;
    ret->keys *= times;
    return ret->tokens > 0;
}
