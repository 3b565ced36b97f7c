"""The rubric's deduction for submissions that intake had to repair."""

from __future__ import annotations

from grader.languages import said
from grader.model import Remark, RepairCostJson, Report, ResultsJson
from grader.points import round_points
from grader.results import remark_data


def apply(results: ResultsJson, report: Report, penalty: float) -> ResultsJson:
    """Subtract the penalty from the results, explained under the key "repair_cost" and in a remark."""
    if not penalty or not any(remark.is_put_right for remark in report.remarks):
        return results
    before = results["score"]
    after = round_points(max(0.0, before - penalty))
    told: RepairCostJson = {"points": round_points(before - after), "score_before": before}
    message = said("intake_cost", before=f"{before:g}", after=f"{after:g}")
    remarks = [*results.get("intake", ()), remark_data(Remark("cost", "", "", message))]
    return {**results, "score": after, "repair_cost": told, "intake": remarks}
