package io.alphaomega.repository.kit;

import io.alphaomega.repository.SagaRepository;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Repositories that do not keep what is noted. */
final class FlawsOfNotes {
    private FlawsOfNotes() {}

    /** A cache that a restarted server has not, and a copy of the store neither. */
    static final class KeepsNotesInMemory extends Broken {
        private final Map<String, String> notes = new ConcurrentHashMap<>();

        KeepsNotesInMemory(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Map<String, String> notes() {
            Map<String, String> all = new HashMap<>(super.notes());
            all.putAll(notes);
            return all;
        }

        @Override
        public void note(String name, String text) {
            SagaRepository.requireNote(name, text);
            super.notes();
            if (text.isEmpty()) notes.remove(name);
            else notes.put(name, text);
        }
    }

    /** As an insert that leaves what is there. */
    static final class KeepsTheFirstText extends Broken {
        KeepsTheFirstText(SagaRepository sound) {
            super(sound);
        }

        @Override
        public void note(String name, String text) {
            if (text.isEmpty() || !super.notes().containsKey(name)) super.note(name, text);
        }
    }

    /** As one document of all notes that each writer writes as it has read it. */
    static final class LosesNotesOfOthers extends Broken {
        LosesNotesOfOthers(SagaRepository sound) {
            super(sound);
        }

        @Override
        public void note(String name, String text) {
            for (String other : super.notes().keySet()) {
                if (!other.equals(name)) super.note(other, "");
            }
            super.note(name, text);
        }
    }

    static final class KeepsEmptyNotes extends Broken {
        KeepsEmptyNotes(SagaRepository sound) {
            super(sound);
        }

        @Override
        public void note(String name, String text) {
            super.note(name, text.isEmpty() ? " " : text);
        }
    }

    static final class CutsLongTexts extends Broken {
        CutsLongTexts(SagaRepository sound) {
            super(sound);
        }

        @Override
        public void note(String name, String text) {
            SagaRepository.requireNote(name, text);
            super.note(name, text.substring(0, Math.min(text.length(), 255)));
        }
    }

    static final class TrimsTexts extends Broken {
        TrimsTexts(SagaRepository sound) {
            super(sound);
        }

        @Override
        public void note(String name, String text) {
            SagaRepository.requireNote(name, text);
            super.note(name, text.strip());
        }
    }
}
