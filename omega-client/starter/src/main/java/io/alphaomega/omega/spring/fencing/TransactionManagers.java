package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.TransactionManager;

/** The transaction managers of a service, as {@code @Transactional} finds them. */
final class TransactionManagers {
    private TransactionManagers() {}

    /**
     * The bean name of the one where none is named; null if there is none of that type.
     *
     * @throws OmegaConfigurationException if there are several and none is primary
     */
    static @Nullable String standard(ConfigurableListableBeanFactory beans, Class<? extends TransactionManager> type) {
        try {
            return beans.resolveNamedBean(type).getBeanName();
        } catch (NoUniqueBeanDefinitionException several) {
            throw new OmegaConfigurationException(
                    "A branch names no fence, but this service has several transaction managers (%s), and none is primary."
                            .formatted(String.join(", ", names(beans, type))),
                    "Say which guards each branch, as in @Compensable(fence = \"%s\"), or mark one as @Primary, or say fenced = false and read what that means."
                            .formatted(names(beans, type).get(0)));
        } catch (NoSuchBeanDefinitionException none) {
            return null;
        }
    }

    /**
     * The bean name of the one of that name or qualifier.
     *
     * @throws OmegaConfigurationException if there is none of that type
     */
    static String named(ConfigurableListableBeanFactory beans, Class<? extends TransactionManager> type, String name) {
        TransactionManager manager;
        try {
            manager = BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, name);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException unknown) {
            throw unknown(beans, type, name);
        }
        return names(beans, type).stream()
                .filter(each -> beans.getBean(each).equals(manager))
                .findFirst()
                .orElseThrow(() -> unknown(beans, type, name));
    }

    private static OmegaConfigurationException unknown(
            ConfigurableListableBeanFactory beans, Class<? extends TransactionManager> type, String name) {
        return new OmegaConfigurationException(
                "A branch is behind the fence '%s', but no %s has that bean name, only %s."
                        .formatted(name, type.getSimpleName(), names(beans, type)),
                "Name the transaction manager of the database that the branch writes to, as @Transactional would.");
    }

    private static List<String> names(ConfigurableListableBeanFactory beans, Class<? extends TransactionManager> type) {
        return List.of(beans.getBeanNamesForType(type));
    }
}
