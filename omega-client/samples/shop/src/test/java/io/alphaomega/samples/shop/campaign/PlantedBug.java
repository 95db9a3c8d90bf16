package io.alphaomega.samples.shop.campaign;

import io.alphaomega.samples.shop.campaign.Blow.Kind;
import io.alphaomega.samples.shop.campaign.Blow.Strike;
import io.alphaomega.samples.shop.campaign.hooks.NewCallEachTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** A mistake in one of the services, the blows that bring it to light, and what is then found. */
enum PlantedBug {
    A_CONFIRMATION_IS_DONE_AS_OFTEN_AS_IT_IS_ASKED_FOR(
            Target.STOCK, "--omega.fence.enabled=false", "Of (lamp|desk|gift-box) \\d+ were delivered, but .*"),
    A_SERVICE_HAS_NO_FENCE(
            Target.PAYMENT, "--omega.fence.enabled=false", "Order .* is committed, but has \\d+ mails.*"),
    A_REACTIVE_SERVICE_HAS_NO_FENCE(
            Target.SHOP, "--omega.fence.enabled=false", "Order .* but its entry was \\[ENTERED, STRUCK, STRUCK.*"),
    A_RECORD_THAT_COMES_AGAIN_IS_ANOTHER_CALL(
            Target.SHIPPING,
            "--spring.main.sources=" + NewCallEachTime.class.getName(),
            "Saga .* has 2 branches of Packer.pack.*");

    /** What it needs must just be under way, which not every one of them meets. */
    private static final int BLOWS = 8;

    /** The service that has it. */
    final Target target;

    /** What the service is told besides. */
    final String argument;

    /** One of the findings is of this form. */
    final Pattern found;

    PlantedBug(Target target, String argument, String found) {
        this.target = target;
        this.argument = argument;
        this.found = Pattern.compile(found, Pattern.DOTALL);
    }

    List<Blow> blows() {
        Strike lost = new Strike(Kind.ANSWERS_LOST, target);
        // A record comes again only to a service that has died.
        List<Strike> strikes = this == A_RECORD_THAT_COMES_AGAIN_IS_ANOTHER_CALL
                ? List.of(lost, new Strike(Kind.KILL, target))
                : List.of(lost);
        return Collections.nCopies(BLOWS, new Blow(strikes, Duration.ZERO));
    }
}
