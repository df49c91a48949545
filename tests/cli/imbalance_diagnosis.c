/* Prints the diagnosis of an imbalance: a line of input for each rank. */
#include "app/services/balance.h"

#include <stdio.h>
#include <string.h>

enum { MAX_RANKS = 4096 };

int main(void)
{
    static char lines[MAX_RANKS][IMBALANCE_DIAGNOSIS_TEXT];
    int ranks = 0;
    while (ranks < MAX_RANKS && fgets(lines[ranks], IMBALANCE_DIAGNOSIS_TEXT, stdin) != NULL) {
        lines[ranks][strcspn(lines[ranks], "\n")] = '\0';
        ranks++;
    }
    imbalance_diagnosis_print(lines[0], IMBALANCE_DIAGNOSIS_TEXT, ranks);
    return 0;
}
