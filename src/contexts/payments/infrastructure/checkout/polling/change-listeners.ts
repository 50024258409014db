/** Listeners of this process for changes of payment requests, by request. */
export class ChangeListeners {
  private readonly byRequest = new Map<string, Set<() => void>>();

  /** How many requests are listened to. */
  get size(): number {
    return this.byRequest.size;
  }

  /** @returns ends it, once or more often */
  add(id: string, wake: () => void): () => void {
    const listeners = this.byRequest.get(id) ?? new Set();
    // Each has an entry of its own, also where two are the same function.
    const listener = () => wake();
    this.byRequest.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.byRequest.get(id) === listeners) this.byRequest.delete(id);
    };
  }

  wake(id: string): void {
    this.byRequest.get(id)?.forEach((listener) => listener());
  }

  wakeAll(): void {
    for (const id of this.byRequest.keys()) this.wake(id);
  }
}
