package io.alphaomega.samples.bank.planted;

import io.alphaomega.samples.bank.checker.Rule;
import java.util.List;
import java.util.Set;

/**
 * A mistake that somebody could well have made in alpha or omega, as a change of the sources.
 *
 * @param name what goes wrong, as a sentence
 * @param trouble the faults that it needs to show
 * @param rules each of which may find it; one does
 */
record PlantedBug(String name, Trouble trouble, Set<Rule> rules, List<Change> changes) {

    /** One that tells nothing but the truth. */
    static PlantedBug none(Trouble trouble) {
        return new PlantedBug("no bug", trouble, Set.of(), List.of());
    }

    /** What is done to the installation, and what it consists of. */
    enum Trouble {
        /** One alpha, and nothing happens to it. */
        NONE,
        /** It is killed, and started again. */
        KILL,
        /** The store stops, and then it and alpha are killed: what was on its way is lost. */
        POWER_CUT,
        /** Two clusters on one store, by mistake: each saga has two owners. */
        RIVALS,
        /** The bank's services as well, and nothing happens to anybody. */
        BANK,
        /** One of the services stops for longer than a callback or a branch may take. */
        BANK_PAUSED,
        /** As {@link #POWER_CUT}, with the bank's services. */
        BANK_POWER_CUT,
        /** As that, while a service does what alpha asked for: alpha learns nothing of it, and asks again. */
        BANK_ANSWERS_LOST;

        boolean hasBank() {
            return this == BANK || this == BANK_PAUSED || this == BANK_POWER_CUT || this == BANK_ANSWERS_LOST;
        }
    }

    /**
     * What becomes of one file.
     *
     * @param file from the root of the sources
     */
    record Change(String file, List<Edit> edits) {}

    /**
     * A change of some words.
     *
     * @param found occurs in the file exactly once
     * @param instead what the mistaken author would have written
     */
    record Edit(String found, String instead) {}
}
