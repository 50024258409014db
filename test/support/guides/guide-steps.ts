export interface WriteStep {
  readonly kind: 'write';
  readonly line: number;
  readonly file: string;
  readonly text: string;
}
export interface RunStep {
  readonly kind: 'run';
  readonly line: number;
  readonly script: string;
  /** The page shows this output; undefined where it shows none, and the output is empty. */
  shown?: { readonly line: number; readonly text: string };
}
export type GuideStep = WriteStep | RunStep;

interface Block {
  readonly line: number;
  readonly language: string;
  readonly text: string;
  readonly before: string;
}

const FENCE = /^( *)```(\S*)\s*$/;
const SAVE_AS = /Save (?:this )?as `([\w.-]+)`:$/;
const PROGRAMS = ['js', 'ts', 'json'];

export function stepsOf(markdown: string): GuideStep[] {
  const steps: GuideStep[] = [];
  for (const block of blocksOf(markdown)) {
    const { line, language, text, before } = block;
    const file = SAVE_AS.exec(before)?.[1];
    const last = steps.at(-1);
    if (language === 'sh') steps.push({ kind: 'run', line, script: text });
    else if (file !== undefined && PROGRAMS.includes(language))
      steps.push({ kind: 'write', line, file, text });
    else if (language === 'text' && last?.kind === 'run' && last.shown === undefined)
      last.shown = { line, text };
    else
      throw new Error(
        `Line ${line}: a block "${language}" is no command, no saved program and no output of a command.`,
      );
  }
  return steps;
}

/** Blocks in a list are indented, and lose as many spaces as their fence has. */
function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; indent: string; before: string; lines: string[] } | undefined;
  let [before, isGoingOn] = ['', false];
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = FENCE.exec(line);
    if (open === undefined && fence !== null) {
      open = { line: index + 1, language: fence[2]!, indent: fence[1]!, before, lines: [] };
    } else if (open !== undefined && fence !== null && fence[2] === '' && fence[1] === open.indent) {
      const { indent, lines, ...rest } = open;
      const outdented = lines.map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each));
      blocks.push({ ...rest, text: `${outdented.join('\n')}\n` });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else {
      const text = line.trim();
      if (text !== '') before = isGoingOn ? `${before} ${text}` : text;
      isGoingOn = text !== '';
    }
  }
  if (open !== undefined) throw new Error(`Line ${open.line}: the block is not closed.`);
  return blocks;
}
