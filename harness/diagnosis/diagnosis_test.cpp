// Tests of the diagnosis, with imaginary faults, and of its data, with real ones.
#include "harness/diagnosis/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "harness/diagnosis/symptom.hpp"
#include "harness/suite/faults.hpp"

namespace assay {
namespace {

/// Results point to cases, which live as long as the program.
const Case* case_named(const std::string& id) {
  static std::deque<Case> cases;
  cases.emplace_back().id = id;
  return &cases.back();
}

/// The results of an imaginary subject.
class Subject {
 public:
  CaseResult& add(const std::string& id, Outcome outcome) {
    CaseResult& result = results_.emplace_back();
    result.test = case_named(id);
    result.outcome = outcome;
    return result;
  }
  Subject& passes(const std::string& id) {
    add(id, Outcome::kPass);
    return *this;
  }
  Subject& fails(const std::string& id, const std::string& got) {
    CaseResult& result = add(id, Outcome::kFail);
    result.failure = Failure{"the values differ", "1", got, "", ""};
    return *this;
  }
  Subject& crashes(const std::string& id) {
    add(id, Outcome::kCrash).failure = Failure{"died", "", "", "", ""};
    return *this;
  }
  const std::vector<CaseResult>& results() const { return results_; }
  Subject& of_reach(Reach reach) {
    static std::deque<Case> cases;
    Case& test = cases.emplace_back(*results_.back().test);
    test.reach = reach;
    results_.back().test = &test;
    return *this;
  }

 private:
  std::vector<CaseResult> results_;
};

/// A fault as the subject with these failures shows it.
FaultSymptoms fault_like(const std::string& name, const Subject& subject) {
  FaultSymptoms fault{name, {}};
  for (const CaseResult& result : subject.results()) {
    fault.by_case.emplace(result.test->id, symptom_of(result));
  }
  return fault;
}

std::vector<std::string> first_faults(const Diagnosis& diagnosis) {
  std::vector<std::string> names;
  for (const Cause& cause : diagnosis.causes) names.push_back(cause.faults.front());
  return names;
}

using Names = std::vector<std::string>;

TEST(Diagnosis, NamesTheFaultThatFailsInTheSameWay) {
  const FaultSymptoms late = fault_like("late", Subject().fails("a", "8").fails("b", "4"));
  const FaultSymptoms early = fault_like("early", Subject().fails("a", "32").fails("b", "16"));
  const Subject subject = Subject().fails("a", "32").fails("b", "16").passes("c");
  const Diagnosis diagnosis = diagnose(subject.results(), {late, early});
  EXPECT_EQ(first_faults(diagnosis), Names{"early"});
  EXPECT_EQ(diagnosis.failures, 2u);
  EXPECT_TRUE(diagnosis.unexplained.empty());
  EXPECT_FALSE(diagnosis.causes.front().is_guess);
}

TEST(Diagnosis, NamesFirstWhatATrainingMeets) {
  const FaultSymptoms rare =
      fault_like("rare", Subject().fails("x/a", "8").fails("x/b", "4").fails("x/c", "3"));
  const FaultSymptoms common = fault_like("common", Subject().fails("y/a", "8").fails("y/b", "4"));
  const Subject subject = Subject()
                              .fails("x/a", "8")
                              .of_reach(Reach::kState)
                              .fails("x/b", "4")
                              .of_reach(Reach::kWidth)
                              .fails("x/c", "3")
                              .of_reach(Reach::kWidth)
                              .fails("y/a", "8")
                              .fails("y/b", "4")
                              .fails("z/a", "1")
                              .of_reach(Reach::kWords)
                              .fails("z/b", "1");

  const Diagnosis diagnosis = diagnose(subject.results(), {rare, common});

  EXPECT_EQ(first_faults(diagnosis), (Names{"common", "rare"}));
  EXPECT_EQ(diagnosis.causes[0].reach, Reach::kTraining);
  EXPECT_EQ(diagnosis.causes[1].reach, Reach::kState);
  EXPECT_EQ(diagnosis.unexplained, (Names{"z/b", "z/a"}));
}

TEST(Diagnosis, CountsCasesThatFailInAnotherWayAsExplainedToo) {
  const FaultSymptoms late =
      fault_like("late", Subject().fails("a", "8").fails("b", "4").fails("c", "2"));
  const Subject subject = Subject().fails("a", "8").fails("b", "4").fails("c", "inf");
  const Cause cause = diagnose(subject.results(), {late}).causes.at(0);
  EXPECT_EQ(cause.exact, (Names{"a", "b"}));
  EXPECT_EQ(cause.explained, (Names{"a", "b", "c"}));
}

TEST(Diagnosis, NamesNoFaultWhoseOtherCasesPass) {
  const FaultSymptoms wide =
      fault_like("wide", Subject().fails("a", "8").fails("b", "4").fails("c", "2").fails("d", "2"));
  const Subject subject = Subject().fails("a", "8").fails("b", "4").passes("c").passes("d");
  const Diagnosis diagnosis = diagnose(subject.results(), {wide});
  EXPECT_TRUE(diagnosis.causes.empty());
  EXPECT_EQ(diagnosis.unexplained, (Names{"a", "b"}));
}

TEST(Diagnosis, IgnoresCasesThatTheSubjectDoesNotAnswer) {
  const FaultSymptoms wide =
      fault_like("wide", Subject().fails("a", "8").fails("b", "4").fails("c", "2"));
  Subject subject = Subject().fails("a", "8").fails("b", "4");
  subject.add("c", Outcome::kUnsupported);
  EXPECT_EQ(first_faults(diagnose(subject.results(), {wide})), Names{"wide"});
}

TEST(Diagnosis, GuessesFromOneCaseOnlyIfTheFaultMakesNoOtherFail) {
  const FaultSymptoms narrow = fault_like("narrow", Subject().fails("x/a", "8"));
  const FaultSymptoms wide = fault_like("wide", Subject().fails("y/b", "4").fails("y/c", "2"));
  const Subject subject = Subject().fails("x/a", "8").fails("y/b", "4").fails("y/c", "3");
  const Diagnosis diagnosis = diagnose(subject.results(), {narrow, wide});
  EXPECT_EQ(first_faults(diagnosis), Names{"narrow"});
  EXPECT_TRUE(diagnosis.causes.front().is_guess);
  EXPECT_EQ(diagnosis.unexplained, (Names{"y/b", "y/c"}));
}

TEST(Diagnosis, GuessesNothingWhereMoreOfTheSameGroupFails) {
  const FaultSymptoms narrow = fault_like("narrow", Subject().fails("x/a", "8"));
  const Subject subject = Subject().fails("x/a", "8").fails("x/b", "4");
  EXPECT_TRUE(diagnose(subject.results(), {narrow}).causes.empty());
}

TEST(Diagnosis, DoubtsTwoCasesIfAThirdFailsInAnotherWay) {
  const FaultSymptoms flush =
      fault_like("flush", Subject().fails("a", "8").fails("b", "4").fails("c", "2"));
  const Subject subject = Subject().fails("a", "8").fails("b", "4").fails("c", "3");
  EXPECT_TRUE(diagnose(subject.results(), {flush}).causes.at(0).is_guess);
}

TEST(Diagnosis, DoesNotCountAgainstALaterCauseWhatAnEarlierOneExplains) {
  const FaultSymptoms late = fault_like(
      "late",
      Subject().fails("a", "8").fails("b", "4").fails("c", "1").fails("d", "1").fails("e", "1"));
  const FaultSymptoms flush = fault_like(
      "flush",
      Subject().fails("c", "0").fails("d", "0").fails("e", "0").fails("f", "0").fails("g", "0"));
  const Subject subject = Subject()
                              .fails("a", "8")
                              .fails("b", "4")
                              .fails("c", "1")
                              .fails("d", "1")
                              .fails("e", "1")
                              .fails("f", "0")
                              .fails("g", "0");
  EXPECT_EQ(first_faults(diagnose(subject.results(), {late, flush})), (Names{"late", "flush"}));
}

TEST(Diagnosis, ExplainsTwoFaultsByTwoCauses) {
  const FaultSymptoms late =
      fault_like("late", Subject().fails("a", "8").fails("b", "4").fails("c", "1"));
  const FaultSymptoms flush = fault_like("flush", Subject().fails("c", "0").fails("d", "0"));
  const Subject subject =
      Subject().fails("a", "8").fails("b", "4").fails("c", "0").fails("d", "0").passes("e");
  EXPECT_EQ(first_faults(diagnose(subject.results(), {flush, late})), (Names{"late", "flush"}));
}

TEST(Diagnosis, NamesFaultsThatCannotBeToldApart) {
  const Subject subject = Subject().fails("a", "8").fails("b", "4");
  const Diagnosis diagnosis =
      diagnose(subject.results(), {fault_like("one", subject), fault_like("other", subject)});
  ASSERT_EQ(diagnosis.causes.size(), 1u);
  EXPECT_EQ(diagnosis.causes.front().faults, (Names{"one", "other"}));
}

TEST(Diagnosis, TakesNoCrashForTheSameAsAnother) {
  const Subject subject = Subject().crashes("a").crashes("b");
  EXPECT_TRUE(diagnose(subject.results(), {fault_like("dies", subject)}).causes.empty());
}

TEST(Diagnosis, ShowsFirstTheCaseThatIsAboutTheFaultsOwnClause) {
  const Fault& planted = *find_fault("update_scale_grows_one_step_late");
  const Subject mutant = Subject().fails("a/a", "4").fails("a/b", "4").fails("a/c", "4");
  Subject subject = mutant;
  std::vector<CaseResult> results = subject.results();
  Case about_it = *results[1].test;
  about_it.clauses = planted.clauses;
  results[1].test = &about_it;

  const Diagnosis diagnosis = diagnose(results, {fault_like(planted.name, mutant)});

  EXPECT_EQ(diagnosis.causes.at(0).exact, (Names{"a/b", "a/a", "a/c"}));
}

TEST(Diagnosis, LeavesOutRecordedCases) {
  static Case recorded;
  recorded.id = "a";
  recorded.where.file = "2.11.0-cpu/amp.jsonl.gz";
  Subject subject = Subject().fails("b", "4");
  CaseResult& result = subject.add("a", Outcome::kFail);
  result.test = &recorded;
  EXPECT_EQ(diagnose(subject.results(), {}).failures, 1u);
}

TEST(Symptom, LeavesOutWhatTheSubjectWords) {
  const auto of = [](const std::string& sentence, const std::string& got) {
    Subject subject;
    subject.add("a", Outcome::kFail).failure = Failure{sentence, "type", got, "", ""};
    return symptom_of(subject.results().front());
  };
  EXPECT_EQ(of("U02: expected no error, got type: no tensor", ""),
            of("U02: expected no error, got type: what is this?", ""));
  EXPECT_NE(of("U02: expected no error, got type: no tensor", ""),
            of("U02: expected no error, got value: no tensor", ""));
  EXPECT_NE(of("U02: expected no error, got type: no tensor", ""),
            of("U03: expected no error, got type: no tensor", ""));
  EXPECT_EQ(of("an error of another kind", "value: too large"),
            of("an error of another kind", "value: zu groß"));
  EXPECT_NE(of("an error of another kind", "value: too large"),
            of("an error of another kind", "index: too large"));
}

TEST(Symptoms, AreReadWithTheirCases) {
  const auto faults = symptoms_from("case amp/a\ncase amp/b\nfault late 1:ff 0:1a2b3c\n");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].fault, "late");
  EXPECT_EQ(faults[0].by_case.at("amp/a"), 0x1a2b3cu);
  EXPECT_EQ(faults[0].by_case.at("amp/b"), 0xffu);
}

TEST(Symptoms, OfADamagedTextAreRefusedWithTheLine) {
  for (const char* line :
       {"fault late 1:ff", "fault late 0:xyz", "fault late 0", "fault late :1", "else"}) {
    try {
      symptoms_from("case amp/a\n" + std::string(line) + "\n");
      ADD_FAILURE() << line;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 8), "line 2: ") << line;
    }
  }
}

TEST(Symptoms, AreKnownOfMostPlantedFaults) {
  EXPECT_GT(10 * known_symptoms().size(), 9 * all_faults().size())
      << "scripts/symptoms makes results/symptoms anew";
  for (const FaultSymptoms& each : known_symptoms()) {
    EXPECT_FALSE(each.by_case.empty()) << each.fault;
  }
}

}  // namespace
}  // namespace assay
