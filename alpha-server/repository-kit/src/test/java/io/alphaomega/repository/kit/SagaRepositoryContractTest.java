package io.alphaomega.repository.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.kit.FlawsInTrouble.BrokenStore;
import io.alphaomega.repository.kit.FlawsOfAppending.ChangesEvents;
import io.alphaomega.repository.kit.FlawsOfMarks.Lists;
import io.alphaomega.repository.kit.FlawsOfMarks.Matches;
import io.alphaomega.repository.kit.FlawsOfSearching.ChangesQueries;
import io.alphaomega.repository.kit.FlawsOfSearching.Looks;
import io.alphaomega.repository.kit.FlawsOfSearching.MatchesTexts;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.DiscoverySelector;

/** The contract accepts the reference and rejects every planted flaw, by the test that is about it. */
final class SagaRepositoryContractTest {

    /** The contract on the store that is on trial. Not found by the build: its name does not end in Test. */
    static final class Trial extends SagaRepositoryContract {
        /** Of the thread that tries it: a store is opened by the thread that runs the tests. */
        private static final ThreadLocal<Supplier<Store>> ON_TRIAL = new ThreadLocal<>();

        @Override
        protected Store store() {
            return ON_TRIAL.get().get();
        }
    }

    /** Trials mostly wait. */
    private static final ExecutorService TRIALS = Executors.newFixedThreadPool(
            8, Thread.ofPlatform().daemon().name("trial-", 1).factory());

    @AfterAll
    static void end() {
        TRIALS.close();
    }

    @Test
    void the_reference_is_accepted_and_nothing_is_skipped() {
        Verdict verdict = verdict(InMemoryStore::new, selectClass(Trial.class));

        assertThat(verdict.failed).isEmpty();
        assertThat(verdict.skipped).isEmpty();
        assertThat(verdict.passed).hasSizeGreaterThanOrEqualTo(112);
    }

    @TestFactory
    List<DynamicTest> rejected() {
        return List.of(
                flaw(
                        "keeps notes in memory",
                        FlawsOfNotes.KeepsNotesInMemory::new,
                        "a_note_is_there_for_the_next_server"),
                flaw("keeps the first text", FlawsOfNotes.KeepsTheFirstText::new, "the_last_text_of_a_name_is_kept"),
                flaw(
                        "loses notes of others",
                        FlawsOfNotes.LosesNotesOfOthers::new,
                        "notes_of_other_names_stay_as_they_are"),
                flaw("keeps empty notes", FlawsOfNotes.KeepsEmptyNotes::new, "an_empty_text_removes_the_note"),
                flaw(
                        "cuts long texts",
                        FlawsOfNotes.CutsLongTexts::new,
                        "the_longest_text_is_kept_and_a_longer_one_refused"),
                flaw("trims texts", FlawsOfNotes.TrimsTexts::new, "a_note_is_read_as_it_was_written"),
                flaw(
                        "ignores the expected version",
                        FlawsOfAppending.IgnoresTheExpectedVersion::new,
                        "a_stale_sequence_conflicts_and_changes_nothing"),
                flaw(
                        "checks, then acts",
                        FlawsOfAppending.ChecksThenActs::new,
                        "of_many_racing_writers_exactly_one_wins"),
                flaw(
                        "ignores the token",
                        FlawsOfAppending.IgnoresTheToken::new,
                        "the_right_sequence_with_the_wrong_token_conflicts"),
                flaw(
                        "ignores the sequence",
                        FlawsOfAppending.IgnoresTheSequence::new,
                        "a_gap_conflicts_and_changes_nothing"),
                flaw(
                        "accepts another begin",
                        FlawsOfAppending.AcceptsAnotherBegin::new,
                        "two_begins_of_one_saga_in_one_batch_are_one_begin"),
                flaw(
                        "loses the second item of a batch",
                        FlawsOfAppending.LosesTheSecondItemOfABatch::new,
                        "every_item_of_a_batch_is_stored_and_answered_in_order"),
                flaw(
                        "calls every saga locked",
                        FlawsOfAppending.CallsEverySagaLocked::new,
                        "a_saga_that_nobody_else_writes_is_not_locked"),
                flaw(
                        "stores what it calls locked",
                        FlawsOfAppending.StoresWhatItCallsLocked::new,
                        "nothing_is_stored_of_a_locked_saga_so_that_it_may_be_sent_again"),
                flaw(
                        "applies a part of a losing item",
                        FlawsOfAppending.AppliesPartOfALosingItem::new,
                        "the_items_of_a_batch_fail_alone"),
                flaw(
                        "applies the summary of a losing item",
                        FlawsOfAppending.AppliesTheSummaryOfALosingItem::new,
                        "a_stale_sequence_conflicts_and_changes_nothing"),
                flaw(
                        "stores event by event",
                        FlawsOfAppending.StoresEventByEvent::new,
                        "who_loads_during_appends_sees_whole_ones"),
                flaw(
                        "fails the whole batch for one item",
                        FlawsOfAppending.FailsTheWholeBatchForOneItem::new,
                        "the_items_of_a_batch_fail_alone"),
                flaw(
                        "answers out of order",
                        FlawsOfAppending.AnswersOutOfOrder::new,
                        "every_item_of_a_batch_is_stored_and_answered_in_order"),
                flaw(
                        "applies the items of a batch backwards",
                        FlawsOfAppending.AppliesTheItemsOfABatchBackwards::new,
                        "of_the_items_of_one_saga_in_one_batch_the_first_that_matches_wins"),
                flaw(
                        "forgets where the saga is in a conflict",
                        FlawsOfAppending.ForgetsWhereTheSagaIsInAConflict::new,
                        "who_lost_wins_with_the_version_of_the_conflict"),
                flaw(
                        "makes tokens of lengths",
                        FlawsOfAppending.MakesTokensOfLengths::new,
                        "a_forgotten_saga_that_grew_again_does_not_match_its_old_versions"),
                flaw(
                        "loads without the last append",
                        FlawsOfAppending.LoadsWithoutTheLastAppend::new,
                        "each_append_is_seen_once_it_has_returned"),
                flaw("loads only so many events", FlawsOfAppending.LoadsOnlySoManyEvents::new, "the_largest_saga"),
                flaw("cuts long events", ChangesEvents::cutsLongOnes, "payloads_of_every_byte_and_of_none"),
                flaw("takes bytes for text", ChangesEvents::takesBytesForText, "payloads_of_every_byte_and_of_none"),
                flaw("mends checksums", ChangesEvents::mendsChecksums, "a_damaged_event_is_returned_as_it_was_given"),
                flaw(
                        "stores equal events once",
                        FlawsOfAppending.StoresEqualEventsOnce::new,
                        "equal_events_are_kept_apart"),
                flaw(
                        "mixes sagas that differ in case",
                        FlawsOfAppending.MixesSagasThatDifferInCase::new,
                        "sagas_with_similar_ids_are_kept_apart"),
                flaw("refuses large batches", FlawsOfAppending.RefusesLargeBatches::new, "the_largest_batch"),
                flaw("is due too late", FlawsOfReading.IsDueTooLate::new, "a_saga_is_due_from_its_wake_up_time_on"),
                flaw(
                        "is due twice",
                        FlawsOfReading.IsDueTwice::new,
                        "whatever_the_page_size_each_due_saga_appears_once"),
                flaw(
                        "loses ties at the end of a page",
                        FlawsOfReading.LosesTiesAtTheEndOfAPage::new,
                        "whatever_the_page_size_each_due_saga_appears_once"),
                flaw("is due in any order", FlawsOfReading.IsDueInAnyOrder::new, "the_earliest_come_first"),
                flaw(
                        "never forgets that a saga was due",
                        FlawsOfReading.NeverForgetsThatASagaWasDue::new,
                        "a_saga_whose_wake_up_time_is_removed_leaves"),
                flaw(
                        "takes 'to' for inclusive",
                        ChangesQueries::takesToForInclusive,
                        "by_time_from_inclusive_to_exclusive"),
                flaw(
                        "takes 'from' for exclusive",
                        ChangesQueries::takesFromForExclusive,
                        "by_time_from_inclusive_to_exclusive"),
                flaw("ignores all states but one", ChangesQueries::ignoresAllStatesButOne, "by_state"),
                flaw(
                        "ignores the text",
                        ChangesQueries::ignoresTheText,
                        "by_a_part_of_the_id_the_business_key_the_operation_or_the_reason"),
                flaw("ignores the reason", ChangesQueries::ignoresTheReason, "by_a_part_of_the_reason_alone"),
                flaw(
                        "takes the reason for any text",
                        ChangesQueries::takesTheReasonForAnyText,
                        "by_a_part_of_the_reason_alone"),
                flaw(
                        "takes the last change for exclusive",
                        ChangesQueries::takesTheLastChangeForExclusive,
                        "by_its_last_change_from_inclusive"),
                flaw(
                        "takes the duration for exclusive",
                        ChangesQueries::takesTheDurationForExclusive,
                        "by_how_long_it_took_or_has_been_open"),
                flaw(
                        "looks at ended sagas as if they were open",
                        Looks::atEndedSagasAsIfTheyWereOpen,
                        "by_how_long_it_took_or_has_been_open"),
                flaw(
                        "knows how long ended sagas took only",
                        Looks::atEndedSagasOnly,
                        "by_how_long_it_took_or_has_been_open"),
                flaw("ignores the case of keys", Looks::atKeysIgnoringCase, "by_the_business_key_to_the_letter"),
                flaw(
                        "compares the first letters of keys",
                        Looks::atTheFirstLettersOfKeys,
                        "by_the_business_key_to_the_letter"),
                flaw("finds parts of operations", Looks::atPartsOfOperations, "by_the_operation_to_the_letter"),
                flaw("finds beginnings of ids", Looks::atBeginningsOfIds, "by_the_id_to_the_letter"),
                flaw(
                        "remembers the first key",
                        FlawsOfSearching.RemembersTheFirstKey::new,
                        "by_the_business_key_from_when_it_is_known_whatever_becomes_of_the_saga"),
                flaw(
                        "ends where nothing is left of a page",
                        FlawsOfSearching.EndsWhereNothingIsLeft::new,
                        "whatever_is_looked_for_its_pages_have_no_gaps_and_no_repeats"),
                flaw(
                        "matches texts by case",
                        MatchesTexts::byCase,
                        "by_a_part_of_the_id_the_business_key_the_operation_or_the_reason"),
                flaw(
                        "matches texts by wildcards",
                        MatchesTexts::byWildcards,
                        "wildcards_quotes_and_escapes_in_the_text_are_what_they_are"),
                flaw(
                        "matches texts by prefix",
                        MatchesTexts::byPrefix,
                        "by_a_part_of_the_id_the_business_key_the_operation_or_the_reason"),
                flaw(
                        "finds by initiator only",
                        FlawsOfSearching.FindsByInitiatorOnly::new,
                        "by_any_service_that_takes_part_spelt_out"),
                flaw(
                        "has an unstable cursor",
                        FlawsOfReading.CountsItsWay::new,
                        "a_cursor_stands_while_sagas_are_begun_and_change"),
                flaw(
                        "loses the last of a page",
                        FlawsOfReading.LosesTheLastOfAPage::new,
                        "the_newest_come_first_and_ties_by_id_whatever_the_page_size"),
                flaw(
                        "finds the oldest first",
                        FlawsOfReading.FindsTheOldestFirst::new,
                        "the_newest_come_first_and_ties_by_id_whatever_the_page_size"),
                flaw(
                        "orders ties ignoring case",
                        FlawsOfReading.OrdersTiesIgnoringCase::new,
                        "the_newest_come_first_and_ties_by_id_whatever_the_page_size"),
                flaw(
                        "ends with an empty page",
                        FlawsOfReading.EndsWithAnEmptyPage::new,
                        "pages_have_at_most_the_limit_and_the_last_one_has_no_cursor"),
                flaw(
                        "accepts any limit",
                        FlawsOfReading.AcceptsAnyLimit::new,
                        "a_limit_out_of_range_and_a_foreign_cursor_are_refused"),
                flaw(
                        "begins again on a foreign cursor",
                        FlawsOfReading.BeginsAgainOnAForeignCursor::new,
                        "a_limit_out_of_range_and_a_foreign_cursor_are_refused"),
                flaw(
                        "cuts times to seconds",
                        FlawsOfReading.CutsTimesToSeconds::new,
                        "a_summary_is_found_as_it_was_appended"),
                flaw(
                        "counts every state a saga was in",
                        FlawsOfReading.CountsEveryStateASagaWasIn::new,
                        "a_saga_that_moves_counts_once"),
                flaw(
                        "counts what nobody asked for",
                        FlawsOfReading.CountsWhatNobodyAskedFor::new,
                        "only_those_that_are_asked_for_are_counted"),
                flaw(
                        "purges what has not ended",
                        FlawsOfPurging.PurgesWhatHasNotEnded::new,
                        "unfinished_and_suspended_sagas_stay_whatever_their_times"),
                flaw(
                        "purges what began before the limit",
                        FlawsOfPurging.PurgesByTheBegin::new,
                        "sagas_that_began_before_the_limit_and_ended_later_stay_and_are_in_nobody_s_way"),
                flaw(
                        "purges the youngest first",
                        FlawsOfPurging.PurgesTheYoungestFirst::new,
                        "the_oldest_go_first_and_no_more_than_the_limit"),
                flaw(
                        "purges beyond the limit",
                        FlawsOfPurging.PurgesBeyondTheLimit::new,
                        "the_oldest_go_first_and_no_more_than_the_limit"),
                broken(
                        "forgets when reopened",
                        FlawsInTrouble.ForgetsWhenReopened::new,
                        "everything_is_still_there_byte_for_byte"),
                broken(
                        "loses the last append when closed",
                        FlawsInTrouble.LosesTheLastAppendWhenClosed::new,
                        "everything_is_still_there_byte_for_byte"),
                flaw(
                        "hangs in an outage",
                        FlawsInTrouble.HangsInAnOutage::new,
                        "an_append_fails_by_type_within_the_deadline_and_works_again_afterwards"),
                flaw(
                        "purges without a tombstone",
                        FlawsOfPurging.LeavesNoTombstone::new,
                        "of_a_purged_saga_only_how_it_ended_is_left"),
                flaw(
                        "forgets where a purged journal stood",
                        FlawsOfPurging.ForgetsWhereTheJournalStood::new,
                        "a_tombstone_stands_where_the_journal_stood"),
                flaw(
                        "begins a purged saga anew",
                        FlawsOfPurging.BeginsAPurgedSagaAnew::new,
                        "a_purged_saga_takes_no_appends_whatever_they_expect"),
                flaw(
                        "appends to a tombstone",
                        FlawsOfPurging.AppendsToATombstone::new,
                        "a_purged_saga_takes_no_appends_whatever_they_expect"),
                flaw(
                        "forgets what has not been purged",
                        FlawsOfPurging.ForgetsWhatIsNotPurged::new,
                        "a_saga_is_forgotten_once_it_ended_before_the_time_and_the_oldest_first"),
                flaw(
                        "never forgets",
                        FlawsOfPurging.NeverForgets::new,
                        "a_saga_is_forgotten_once_it_ended_before_the_time_and_the_oldest_first"),
                flaw(
                        "fails without type",
                        FlawsInTrouble.FailsWithoutType::new,
                        "an_append_fails_by_type_within_the_deadline_and_works_again_afterwards"),
                flaw(
                        "finds nothing in an outage",
                        FlawsInTrouble.FindsNothingInAnOutage::new,
                        "a_read_tells_the_truth_or_fails_by_type_within_the_deadline"),
                flaw(
                        "is always up",
                        FlawsInTrouble.IsAlwaysUp::new,
                        "an_append_fails_by_type_within_the_deadline_and_works_again_afterwards"),
                flaw(
                        "stays down",
                        FlawsInTrouble.StaysDown::new,
                        "an_append_fails_by_type_within_the_deadline_and_works_again_afterwards"),
                broken(
                        "tears an item in an outage",
                        FlawsInTrouble.TearsAnItemInAnOutage::new,
                        "when_the_store_stops_in_the_middle_nothing_that_returned_is_missing"),
                flaw(
                        "finds nothing while the store is away",
                        FlawsOnTheNetwork.FindsNothingWhileTheStoreIsAway::new,
                        "who_reads_while_the_store_stops_and_starts_again_sees_the_truth_or_an_error"),
                flaw(
                        "sends again what was not answered",
                        FlawsOnTheNetwork.SendsAgain::new,
                        "writers_that_load_after_each_lost_answer_lose_and_double_nothing"),
                flaw(
                        "appends behind itself",
                        FlawsOnTheNetwork.AppendsBehindItself::new,
                        "who_repeats_such_an_append_blindly_doubles_nothing"),
                flaw(
                        "takes a lost answer for success",
                        FlawsOnTheNetwork.TakesALostAnswerForSuccess::new,
                        "an_append_whose_answer_is_lost_fails_by_type_and_is_there_whole_or_not_at_all"),
                flaw(
                        "writes an item in two steps",
                        FlawsOnTheNetwork.WritesInTwoSteps::new,
                        "the_items_of_such_a_batch_are_each_there_whole_or_not_at_all"),
                broken(
                        "loses requests instead of answers",
                        FlawsOnTheNetwork.LosesRequests::new,
                        "an_append_whose_answer_is_lost_fails_by_type_and_is_there_whole_or_not_at_all"),
                flaw(
                        "waits for ever",
                        FlawsOnTheNetwork.WaitsForEver::new,
                        "a_store_a_hundred_times_slower_is_away_and_works_again_right_after"),
                flaw(
                        "is always up on a slow store",
                        FlawsInTrouble.IsAlwaysUp::new,
                        "a_store_a_hundred_times_slower_is_away_and_works_again_right_after"),
                flaw("is impatient", FlawsOnTheNetwork.IsImpatient::new, "a_late_answer_is_waited_for"),
                flaw(
                        "lets callers queue",
                        FlawsOnTheNetwork.LetsCallersQueue::new,
                        "each_of_many_callers_is_told_within_the_deadline"),
                flaw("refuses many bytes", FlawsOnTheNetwork.RefusesManyBytes::new, "the_largest_batch_by_bytes"),
                flaw(
                        "is due ten thousand times",
                        FlawsOfReading.IsDueTenThousandTimes::new,
                        "of_ten_thousand_each_appears_once_in_a_pass_while_others_come_and_go"),
                flaw(
                        "works after its closing",
                        FlawsInTrouble.WorksAfterItsClosing::new,
                        "a_closed_repository_says_so"));
    }

    @TestFactory
    List<DynamicTest> rejected_for_their_marks() {
        String byTheLastOrder = "a_saga_is_listed_by_its_last_order_whatever_becomes_of_it";
        String inOrder = "the_last_order_comes_first_and_ties_by_id_whatever_the_page_size";
        String toTheLetter = "name_and_value_to_the_letter";
        return List.of(
                flaw("lists the oldest order first", Lists::theOldestFirst, inOrder),
                flaw("lists all but the last of a page", Lists::allButTheLast, inOrder),
                flaw("lists the orders of open sagas only", Lists::openSagasOnly, byTheLastOrder),
                flaw("lists each order of a saga", FlawsOfMarks.ListsEachOrder::new, byTheLastOrder),
                flaw(
                        "misses an order that changes nothing else",
                        FlawsOfMarks.MissesAnOrderThatChangesNothingElse::new,
                        byTheLastOrder),
                flaw("takes 'since' for exclusive", FlawsOfMarks.TakesSinceForExclusive::new, "since_is_inclusive"),
                flaw(
                        "takes the cursor of another list",
                        FlawsOfMarks.TakesAnyCursor::new,
                        "a_limit_out_of_range_and_a_foreign_cursor_are_refused"),
                flaw(
                        "keeps the orders of purged sagas",
                        FlawsOfMarks.KeepsTheMarksOfPurgedSagas::new,
                        "the_mark_of_a_purged_saga_is_gone"),
                flaw(
                        "keeps the attributes of purged sagas",
                        FlawsOfMarks.KeepsTheMarksOfPurgedSagas::new,
                        "a_purged_saga_is_found_no_more"),
                flaw("ignores the case of attributes", Matches::ignoringCase, toTheLetter),
                flaw("ignores the names of attributes", Matches::anyName, toTheLetter),
                flaw("takes a name and a value for one text", Matches::byTheJoinedText, toTheLetter),
                flaw(
                        "remembers the first attributes",
                        FlawsOfMarks.RemembersTheFirstAttributes::new,
                        "from_when_it_is_known_whatever_becomes_of_the_saga"),
                flaw(
                        "looks at nothing but the attribute",
                        FlawsOfMarks.LooksAtNothingButTheAttribute::new,
                        "with_other_conditions"));
    }

    private static DynamicTest flaw(String name, UnaryOperator<SagaRepository> flaw, String caughtBy) {
        return broken(name, () -> new BrokenStore(flaw), caughtBy);
    }

    /** Only this test: others would find it as well, or each wait until it is clear that it hangs, which some here do. */
    private static DynamicTest broken(String name, Supplier<Store> store, String caughtBy) {
        Future<Verdict> trial = TRIALS.submit(() -> verdict(store, tests(caughtBy)));
        return dynamicTest(name, () -> assertThat(trial.get().failed).contains(caughtBy));
    }

    private static DiscoverySelector[] tests(String name) {
        return Stream.of(SagaRepositoryContract.class.getDeclaredClasses())
                .flatMap(nested -> Stream.of(nested.getSuperclass().getDeclaredMethods())
                        .filter(method -> method.getName().equals(name))
                        .map(test -> selectNestedMethod(List.of(Trial.class), nested, test)))
                .toArray(DiscoverySelector[]::new);
    }

    private static Verdict verdict(Supplier<Store> store, DiscoverySelector... tests) {
        Trial.ON_TRIAL.set(store);
        try {
            return Verdict.of(tests);
        } finally {
            Trial.ON_TRIAL.remove();
        }
    }
}
