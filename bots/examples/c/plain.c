/* A bot in C, without any library: it chooses at random among the legal actions.
 *
 *     cc -O2 -o plain plain.c
 *
 * It finds what it needs by searching the line. That is enough for `ply` and `legal`, since no notation holds a
 * quotation mark; to read `view`, take a JSON library.
 */

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

/* xorshift, 64 bits */
static uint64_t next_word(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Returns the text behind `"key":`, or an empty one. */
static const char *field(const char *line, const char *key)
{
    const char *found = strstr(line, key);
    return found ? found + strlen(key) : "";
}

static void answer(const char *line)
{
    const char *legal = field(line, "\"legal\":[");
    const char *end = strchr(legal, ']');
    int count = 0;
    for (const char *c = legal; c < end; c++)
        count += *c == '"';
    count /= 2;

    /* Your choice: here, the text between the quotation marks of a random entry. */
    int quotes = 2 * (int)(next_word() % (uint64_t)count);
    const char *action = legal;
    while (*action != '"' || quotes-- > 0)
        action++;
    action++;

    printf("{\"type\":\"act\",\"ply\":%ld,\"action\":\"%.*s\"}\n", atol(field(line, "\"ply\":")),
           (int)strcspn(action, "\""), action);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (strstr(line, "\"type\":\"act\""))
            answer(line);
        else if (strstr(line, "\"type\":\"hello\""))
            puts("{\"type\":\"ready\"}");
        else if (strstr(line, "\"type\":\"start\""))
            state = strtoull(field(line, "\"seed\":"), NULL, 10) | 1;
        else if (strstr(line, "\"type\":\"quit\""))
            break;
        fflush(stdout); /* what waits in a buffer is not an answer */
    }
    free(line);
    return 0;
}
