"""Tool-info module of BenchExec: how to run Heapwright on a task, and what its answer means."""

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException


class Tool(BaseTool2):
    """Heapwright, by the wrapper that compiles the sources first."""

    # Beside the wrapper; the program itself is on the path, or beside it, too.
    REQUIRED_PATHS = ["tasks.py"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("heapwright-svcomp")

    def name(self):
        return "Heapwright"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="heapwright")

    def cmdline(self, executable, options, task, rlimits):
        if not task.property_file:
            raise UnsupportedFeatureException("a task without a property")
        command = [executable, *options, "--property", task.property_file]
        if rlimits.cputime:
            # What is left is for javac, and for the end.
            command += ["--time-limit", f"{max(1, int(rlimits.cputime * 0.95) - 5)}s"]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        lines = [line for line in run.output if line.strip()]
        verdict = lines[-1].strip() if lines else ""
        if verdict == "TRUE":
            return result.RESULT_TRUE_PROP
        if verdict == "FALSE":
            return result.RESULT_FALSE_PROP
        if run.was_timeout:
            return "TIMEOUT"
        if verdict.startswith("UNKNOWN"):
            return result.RESULT_UNKNOWN
        return result.RESULT_ERROR
