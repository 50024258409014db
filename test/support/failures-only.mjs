// Jest reporter: its own output for files that fail, and nothing for files that pass.
import { DefaultReporter } from '@jest/reporters';

export default class FailuresOnly extends DefaultReporter {
  printTestFileHeader(path, config, result) {
    if (hasFailed(result)) super.printTestFileHeader(path, config, result);
  }
}

function hasFailed({ numFailingTests, testExecError }) {
  return numFailingTests > 0 || testExecError !== undefined;
}
