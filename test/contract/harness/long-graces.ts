// Loaded before the host's own modules, in tests in which an agent answers an interrupt: whatever the host waits for between
// one and two seconds, it waits for 30 times as long. On a machine that does other work, an agent that answers at once may
// take longer than the host's 1.5 seconds, and the test would see one that does not answer.

const patient = (ms: number): number => (ms > 1_000 && ms < 2_000 ? ms * 30 : ms);

globalThis.setTimeout = new Proxy(setTimeout, {
  apply: (target, self, [call, ms, ...more]: [() => void, number?, ...unknown[]]) =>
    Reflect.apply(target, self, [call, patient(ms ?? 0), ...more]),
});

const { timeout } = AbortSignal;
AbortSignal.timeout = (ms) => timeout.call(AbortSignal, patient(ms));
