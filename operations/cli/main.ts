#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { Command, CommanderError } from 'commander'
import { PredioError, sentenceOf } from '../../schemas/errors.ts'
import { configCommand } from './config.ts'
import { kafkaCommand } from './kafka.ts'
import { cycleCommand, pauseCommand, resumeCommand } from './partner.ts'
import { rulesCommand } from './rules.ts'
import { runCommand } from './run.ts'
import { setupCommand } from './setup.ts'
import { startCommand } from './start.ts'
import { statusCommand } from './status.ts'

enableCompileCache() // what the roles load is compiled once on a machine, not at every start

const program = new Command('predio')
  .description('Commercial property feeds, from partner CRMs through Kafka into a marketplace catalog.')
  .option('--debug', 'show where an error came from')
  .showHelpAfterError('(see predio --help)')
  .enablePositionalOptions()
  .exitOverride()
  .addHelpText('after', '\nExit codes: 0 ok, 1 failed, 2 usage or surroundings, 3 a partner is at fault.')

for (const command of [
  startCommand,
  runCommand,
  setupCommand,
  configCommand,
  rulesCommand,
  statusCommand,
  pauseCommand,
  resumeCommand,
  cycleCommand,
  kafkaCommand,
]) {
  const added = command().copyInheritedSettings(program)
  for (const nested of added.commands) nested.copyInheritedSettings(program)
  program.addCommand(added)
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2 // it has said what was wrong
  process.stderr.write(`predio: ${sentenceOf(error)}\n`)
  if (program.opts().debug) console.error(error)
  return PredioError.is(error) ? error.exitCode : 1
}
