package io.alphaomega.omega.spring;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;

/** A participant that beans of many kinds have, and what makes them. */
class MadeBeans {
    private MadeBeans() {}

    static class Trips {
        @SagaStart
        public void plan(Runnable business) {
            business.run();
        }
    }

    /** What users of a desk know of it. */
    interface Desk {
        void book(String guest);

        void cancel(String guest);
    }

    static class CarDesk implements Desk {
        final List<String> said = new CopyOnWriteArrayList<>();

        @Override
        @Compensable(compensationMethod = "cancel", fenced = false)
        public void book(String guest) {
            said.add("car for " + guest);
        }

        @Override
        public void cancel(String guest) {
            said.add("no car for " + guest);
        }
    }

    /** Annotated for all that implement it. */
    interface AnnotatedDesk {
        @Compensable(compensationMethod = "cancel", fenced = false)
        void book(String guest);

        void cancel(String guest);
    }

    /** Makes an object that is no bean by itself. */
    static class DeskFactory implements FactoryBean<Object> {
        private final Object desk;
        private final @Nullable Class<?> type;
        private final boolean singleton;

        DeskFactory(Object desk, @Nullable Class<?> type, boolean singleton) {
            this.desk = desk;
            this.type = type;
            this.singleton = singleton;
        }

        @Override
        public Object getObject() {
            return desk;
        }

        @Override
        public @Nullable Class<?> getObjectType() {
            return type;
        }

        @Override
        public boolean isSingleton() {
            return singleton;
        }
    }
}
