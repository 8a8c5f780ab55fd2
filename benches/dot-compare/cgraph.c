/* Graphviz' own parser, without layout:  cgraph FILE RUNS
   prints the best time of a run in nanoseconds and the peak memory in KiB. */
#include <graphviz/cgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

int main(int argc, char **argv) {
    long best = -1;
    for (int run = 0; run < atoi(argv[2]); run++) {
        FILE *file = fopen(argv[1], "r");
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (Agraph_t *graph; (graph = agread(file, NULL));) agclose(graph);
        clock_gettime(CLOCK_MONOTONIC, &to);
        fclose(file);
        long took = (to.tv_sec - from.tv_sec) * 1000000000L + (to.tv_nsec - from.tv_nsec);
        if (best < 0 || took < best) best = took;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld %ld\n", best, usage.ru_maxrss);
    return 0;
}
