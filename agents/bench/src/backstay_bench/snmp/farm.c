/* A farm of SNMPv2c agents for the benchmark: many devices of some ports each, one UDP port a device.
 *
 *   farm FIRST_PORT DEVICES PORTS
 *
 * It answers GET, GETNEXT and GETBULK (RFC 3416) on 127.0.0.1 with the system group, ifTable and ifXTable of RFC 2863;
 * counters grow with the time at a rate of their own. It is written to be much faster than any client, and for
 * nothing else: requests are believed to be well formed once their lengths fit. At most 127 ports, so that every
 * sub-identifier is one octet and object identifiers compare as octets do.
 */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { INTEGER = 0x02, OCTETS = 0x04, OBJECT = 0x06, COUNTER = 0x41, GAUGE = 0x42, TICKS = 0x43, COUNTER64 = 0x46 };
enum { MOST = 1400, NAME = 12 };

struct object { uint8_t name[NAME], length, tag, column, table, port; };

static struct object objects[8192];
static int count;

static void add(const char *prefix, size_t length, uint8_t tag, uint8_t table, uint8_t column, uint8_t port)
{
    struct object *o = &objects[count++];
    memcpy(o->name, prefix, length);
    o->length = length;
    o->tag = tag;
    o->table = table;
    o->column = column;
    o->port = port;
}

static void build(int ports)
{
    static const struct { uint8_t column, tag; } table[] = {
        {1, INTEGER}, {2, OCTETS}, {3, INTEGER}, {4, INTEGER}, {5, GAUGE}, {6, OCTETS}, {7, INTEGER}, {8, INTEGER},
        {9, TICKS}, {10, COUNTER}, {11, COUNTER}, {12, COUNTER}, {13, COUNTER}, {14, COUNTER}, {15, COUNTER},
        {16, COUNTER}, {17, COUNTER}, {18, COUNTER}, {19, COUNTER}, {20, COUNTER},
    }, more[] = {
        {1, OCTETS}, {2, COUNTER}, {3, COUNTER}, {4, COUNTER}, {5, COUNTER}, {6, COUNTER64}, {7, COUNTER64},
        {8, COUNTER64}, {9, COUNTER64}, {10, COUNTER64}, {11, COUNTER64}, {12, COUNTER64}, {13, COUNTER64},
        {15, GAUGE}, {18, OCTETS},
    };
    static const struct { uint8_t column, tag; } system[] = {{1, OCTETS}, {2, OBJECT}, {3, TICKS}, {5, OCTETS}};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
        char name[] = {0x2b, 6, 1, 2, 1, 1, system[i].column, 0};
        add(name, 8, system[i].tag, 0, system[i].column, 0);
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int p = 1; p <= ports; p++) {
            char name[] = {0x2b, 6, 1, 2, 1, 2, 2, 1, table[i].column, p};
            add(name, 10, table[i].tag, 1, table[i].column, p);
        }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        for (int p = 1; p <= ports; p++) {
            char name[] = {0x2b, 6, 1, 2, 1, 31, 1, 1, 1, more[i].column, p};
            add(name, 11, more[i].tag, 2, more[i].column, p);
        }
    char last[] = {0x2b, 6, 1, 2, 1, 31, 1, 5, 0};
    add(last, 9, TICKS, 3, 0, 0);
}

/* The place of the first object that is not before `name`. */
static int place(const uint8_t *name, int length)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        const struct object *o = &objects[middle];
        int common = o->length < length ? o->length : length;
        int order = memcmp(o->name, name, common);
        if (order < 0 || (order == 0 && o->length < length)) low = middle + 1;
        else high = middle;
    }
    return low;
}

static int same(int at, const uint8_t *name, int length)
{
    return at < count && objects[at].length == length && !memcmp(objects[at].name, name, length);
}

static uint64_t figure(const struct object *o, int device, uint64_t us)
{
    uint64_t seed = (uint64_t)(device + 1) * 2654435761u + o->port * 40503u + o->column * 9176u;
    if (o->tag == COUNTER64) return (o->column == 6 || o->column == 10)
        ? 1000000000000ull + seed + us * (10 + seed % 90)
        : 1000000000ull + seed % 100000000 + us * (1 + seed % 9) / 100;
    if (o->tag == COUNTER) return (o->column == 14 || o->column == 20) ? seed % 7
        : (o->column == 13 || o->column == 19) ? 1000 + seed % 9000 + us * (seed % 3) / 1000000
        : (uint32_t)(seed + us * (seed % 90));
    if (o->tag == TICKS) return o->table == 0 ? 100000000 + us / 10000 : 1234;
    if (o->table == 2) return 1000; /* ifHighSpeed: Mbit/s */
    switch (o->column) {
    case 1: return o->port;
    case 3: return 6;
    case 4: return 1500;
    case 5: return 1000000000;
    default: return 1; /* up */
    }
}

static int value(uint8_t *to, const struct object *o, int device, uint64_t us)
{
    to[0] = o->tag;
    if (o->tag == OBJECT) {
        static const uint8_t id[] = {0x2b, 6, 1, 4, 1, 0xbf, 8, 3, 2, 10};
        memcpy(to + 2, id, sizeof id);
        return 2 + (to[1] = sizeof id);
    }
    if (o->tag == OCTETS) {
        char text[32];
        int length = o->table == 0 ? snprintf(text, sizeof text, "farm device %d", device)
            : o->column == 6 ? 6 : o->column == 18 ? 0
            : snprintf(text, sizeof text, "ge%d", o->port);
        if (o->table == 1 && o->column == 6) {
            uint8_t mac[] = {2, 0, device >> 8, device, 0, o->port};
            memcpy(text, mac, 6);
        }
        memcpy(to + 2, text, length);
        return 2 + (to[1] = length);
    }
    uint64_t v = figure(o, device, us);
    int octets = 1;
    while (octets < 9 && (octets == 8 ? v >> 63 : v >> (8 * octets - 1))) octets++;
    for (int i = 0; i < octets; i++) to[2 + i] = i == 0 && octets == 9 ? 0 : v >> 8 * (octets - 1 - i);
    return 2 + (to[1] = octets);
}

/* One variable binding; its name is `name` and its value o's, or endOfMibView or noSuchInstance (`none`). */
static int binding(uint8_t *to, const uint8_t *name, int length, const struct object *o, int none, int device,
                   uint64_t us)
{
    to[0] = 0x30;
    to[2] = OBJECT;
    to[3] = length;
    memcpy(to + 4, name, length);
    int at = 4 + length;
    if (o) at += value(to + at, o, device, us);
    else { to[at++] = none; to[at++] = 0; }
    to[1] = at - 2;
    return at;
}

static const uint8_t *element(const uint8_t *p, const uint8_t *end, uint8_t *tag, int *length)
{
    if (end - p < 2) return NULL;
    *tag = p[0];
    int n = p[1];
    p += 2;
    if (n & 0x80) {
        int octets = n & 0x7f;
        if (octets < 1 || octets > 2 || end - p < octets) return NULL;
        for (n = 0; octets--;) n = n << 8 | *p++;
    }
    if (n > end - p) return NULL;
    *length = n;
    return p;
}

static int header(uint8_t *end, uint8_t tag, int length) /* written backwards; returns its octets */
{
    if (length < 128) { end[-1] = length; end[-2] = tag; return 2; }
    end[-1] = length; end[-2] = length >> 8; end[-3] = 0x82; end[-4] = tag;
    return 4;
}

static int answer(const uint8_t *in, int size, uint8_t *out, const uint8_t **start, int device, uint64_t us)
{
    const uint8_t *end = in + size, *head = in, *p;
    uint8_t tag, kind;
    int length;
    if (!(head = element(in, end, &tag, &length))) return 0;
    const uint8_t *version = head;
    if (!(p = element(head, end, &tag, &length))) return 0;
    if (!(p = element(p + length, end, &tag, &length))) return 0;
    const uint8_t *pdu = p + length;
    if (!(p = element(pdu, end, &kind, &length))) return 0;
    const uint8_t *number = p;
    if (!(p = element(p, end, &tag, &length))) return 0;
    int number_size = p + length - number, first = 0, second = 0;
    if (!(p = element(p + length, end, &tag, &length))) return 0;
    for (int i = 0; i < length; i++) first = first << 8 | p[i];
    if (!(p = element(p + length, end, &tag, &length))) return 0;
    for (int i = 0; i < length; i++) second = second << 8 | p[i];
    if (!(p = element(p + length, end, &tag, &length))) return 0;

    const uint8_t *names[256];
    int lengths[256], at[256], asked = 0;
    while (p < end && asked < 256) {
        if (!(p = element(p, end, &tag, &length))) return 0;
        const uint8_t *next = p + length;
        if (!(p = element(p, end, &tag, &length))) return 0;
        names[asked] = p;
        lengths[asked++] = length;
        p = next;
    }
    uint8_t *body = out + 256, *w = body;
    if (kind == 0xa0) {
        for (int i = 0; i < asked; i++) {
            int k = place(names[i], lengths[i]);
            w += binding(w, names[i], lengths[i], same(k, names[i], lengths[i]) ? &objects[k] : NULL, 0x81, device, us);
        }
    } else {
        int rounds = kind == 0xa5 ? second : 1;
        for (int i = 0; i < asked; i++) {
            at[i] = place(names[i], lengths[i]);
            if (same(at[i], names[i], lengths[i])) at[i]++;
        }
        for (int r = 0; r < rounds && w - body < MOST; r++)
            for (int i = 0; i < asked && w - body < MOST; i++) {
                const struct object *o = at[i] < count ? &objects[at[i]++] : NULL;
                const uint8_t *name = o ? o->name : names[i];
                w += binding(w, name, o ? o->length : lengths[i], o, 0x82, device, us);
            }
    }
    uint8_t *s = body;
    s -= header(s, 0x30, w - s);
    static const uint8_t fine[] = {INTEGER, 1, 0, INTEGER, 1, 0};
    s -= sizeof fine;
    memcpy(s, fine, sizeof fine);
    s -= number_size;
    memcpy(s, number, number_size);
    s -= header(s, 0xa2, w - s);
    s -= pdu - version;
    memcpy(s, version, pdu - version);
    s -= header(s, 0x30, w - s);
    *start = s;
    return w - s;
}

int main(int argc, char **argv)
{
    if (argc != 4) return 2;
    int first = atoi(argv[1]), devices = atoi(argv[2]), ports = atoi(argv[3]);
    if (ports < 1 || ports > 127) return 2;
    build(ports);
    int queue = epoll_create1(0);
    for (int i = 0; i < devices; i++) {
        int s = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
        struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(first + i)};
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (s < 0 || bind(s, (struct sockaddr *)&to, sizeof to)) { perror("farm"); return 1; }
        struct epoll_event e = {.events = EPOLLIN, .data.u64 = (uint64_t)i << 32 | (uint32_t)s};
        epoll_ctl(queue, EPOLL_CTL_ADD, s, &e);
    }
    puts("ready");
    fflush(stdout);
    struct epoll_event events[256];
    static uint8_t in[65536], out[65536];
    for (;;) {
        int n = epoll_wait(queue, events, 256, -1);
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        uint64_t us = now.tv_sec * 1000000ull + now.tv_nsec / 1000;
        for (int i = 0; i < n; i++) {
            int s = (int)(events[i].data.u64 & 0xffffffff), device = events[i].data.u64 >> 32;
            struct sockaddr_in from;
            socklen_t size = sizeof from;
            for (int got; (got = recvfrom(s, in, sizeof in, 0, (struct sockaddr *)&from, &size)) > 0;) {
                const uint8_t *start;
                int length = answer(in, got, out, &start, device, us);
                if (length) sendto(s, start, length, 0, (struct sockaddr *)&from, size);
            }
        }
    }
}
