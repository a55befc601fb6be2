/**
 * Loaded into a role's process before the role (`node --import`), it sets that process's clock: what a virtual machine
 * sees that was moved, or two machines that do not agree on the time.
 */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
if (shiftMs !== 0) {
  const systemNow = Date.now
  Date.now = () => systemNow() + shiftMs
}

/** For a role's environment. @param ms ahead of the system's clock, or behind it where negative */
export const clockShift = (ms: number): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${import.meta.url}`,
  CLOCK_SHIFT_MS: String(ms),
})
