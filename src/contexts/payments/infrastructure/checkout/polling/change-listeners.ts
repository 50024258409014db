export class ChangeListeners {
  private readonly byRequest = new Map<string, Set<() => void>>();

  get size(): number {
    return this.byRequest.size;
  }

  add(id: string, wake: () => void): () => void {
    const listeners = this.byRequest.get(id) ?? new Set();
    // Wraps the function, so that adding the same function twice creates two listeners.
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
