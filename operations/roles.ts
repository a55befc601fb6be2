import type { RoleContext, RunningRole, StartRole } from '../connectors/role.ts'

/** What `predio run` can run, in the order in which a record travels. Only what is run is loaded. */
export const ROLES = {
  source: async () => (await import('../connectors/crm-source/main.ts')).startSource,
  validator: async () => (await import('../processors/validator/main.ts')).startValidator,
  catalog: async () => (await import('../connectors/catalog-sink/main.ts')).startCatalog,
  checkpoint: async () => (await import('../connectors/cycle-checkpoint/main.ts')).startCheckpoint,
} as const satisfies Record<string, () => Promise<StartRole>>

export type RoleName = keyof typeof ROLES
export const ROLE_NAMES = Object.keys(ROLES) as RoleName[]

/** Starts roles in this process, the last stage first so that nothing waits for a reader; all or none. */
export async function startRoles(names: readonly RoleName[], context: RoleContext): Promise<RunningRole> {
  const running: RunningRole[] = []
  const stop = async (): Promise<void> => {
    for (const role of running.splice(0).reverse()) await role.stop()
  }
  try {
    for (const name of ROLE_NAMES.filter(known => names.includes(known)).reverse()) {
      const startRole = await ROLES[name]()
      running.push(await startRole({ ...context, log: context.log.child({ role: name }) }))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}
