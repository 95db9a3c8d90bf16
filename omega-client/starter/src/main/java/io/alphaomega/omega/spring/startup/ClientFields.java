package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.spring.config.IntendedClients.Client;
import io.alphaomega.omega.transport.http.SagaCalls;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * HTTP clients in the fields of the application's own beans, such as {@code private final RestClient cars =
 * RestClient.create()}: they are no beans, and no customizer has seen them.
 */
final class ClientFields {
    private static final String WEB_CLIENT = "org.springframework.web.reactive.function.client.WebClient";

    private static final Set<String> TYPES =
            Set.of(RestClient.class.getName(), RestTemplate.class.getName(), WEB_CLIENT);

    private ClientFields() {}

    /** Those that do not send sagas along, and are not beans besides. */
    static List<Client> without(ConfigurableListableBeanFactory beans) {
        List<Client> without = new ArrayList<>();
        if (!AutoConfigurationPackages.has(beans)) return without;
        List<String> packages = AutoConfigurationPackages.get(beans);
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (bean == null) continue;
            Object target = AopProxyUtils.getSingletonTarget(bean);
            if (target == null) target = bean;
            Class<?> type = ClassUtils.getUserClass(target);
            String itsPackage = type.getPackageName() + ".";
            if (packages.stream().noneMatch(each -> itsPackage.startsWith(each + "."))) continue;
            for (Field field : fields(type)) {
                Object client = value(field, target);
                if (client == null || sends(client) || isBean(beans, field.getType(), client)) continue;
                String text = "'%s' of bean '%s' (%s)"
                        .formatted(field.getName(), name, field.getType().getSimpleName());
                without.add(new Client(name + "." + field.getName(), text));
            }
        }
        return without;
    }

    private static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        ReflectionUtils.doWithFields(
                type, fields::add, field -> TYPES.contains(field.getType().getName()));
        return fields;
    }

    private static @Nullable Object value(Field field, Object owner) {
        if (!field.trySetAccessible()) return null;
        return ReflectionUtils.getField(field, Modifier.isStatic(field.getModifiers()) ? null : owner);
    }

    private static boolean sends(Object client) {
        if (client instanceof RestTemplate template) return SagaCalls.areMadeBy(template);
        if (client instanceof RestClient restClient) return SagaCalls.areMadeBy(restClient.mutate());
        return !Boolean.FALSE.equals(ClientCheck.WebClients.sends(client));
    }

    /** Such a bean is named as one. */
    private static boolean isBean(ConfigurableListableBeanFactory beans, Class<?> type, Object client) {
        for (String name : beans.getBeanNamesForType(type, false, false)) {
            if (beans.containsSingleton(name) && Objects.equals(beans.getSingleton(name), client)) return true;
        }
        return false;
    }
}
