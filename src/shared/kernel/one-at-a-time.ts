/** Lets work on one thing through one after the other, within this process, while other things go on beside it. */
export class OneAtATime {
  private readonly lanes = new Map<string, { last: Promise<void>; length: number }>();

  /** @param longest how many may wait for one thing, the one that runs included */
  constructor(private readonly longest: number) {}

  /** @returns null at once where too many wait already */
  run<T>(thing: string, work: () => Promise<T>): Promise<T> | null {
    const lane = this.lanes.get(thing) ?? { last: Promise.resolve(), length: 0 };
    if (lane.length >= this.longest) return null;
    const turn = lane.last.then(work);
    const done = () => {
      lane.length -= 1;
      if (lane.length === 0) this.lanes.delete(thing);
    };
    lane.length += 1;
    lane.last = turn.then(done, done);
    this.lanes.set(thing, lane);
    return turn;
  }
}
