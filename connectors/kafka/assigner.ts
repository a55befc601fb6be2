import type { PartitionAssigner } from 'kafkajs'
import { AssignerProtocol } from './kafkajs.ts'

const NAME = 'PredioCopartitioned'
const VERSION = 1

/**
 * Partition p of every topic goes to the same member, so who owns a partner's reports owns its commands, too.
 * kafkajs's own round robin deals out each topic's partitions where the last topic's ended.
 */
export const copartitioned: PartitionAssigner = ({ cluster }) => ({
  name: NAME,
  version: VERSION,
  async assign({ members, topics }) {
    const owners = members.map(({ memberId }) => memberId).sort()
    return owners.map((memberId, index) => {
      const assignment = Object.fromEntries(
        topics.map(topic => {
          const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)
          return [topic, partitions.filter(partition => partition % owners.length === index)]
        }),
      )
      const userData = Buffer.alloc(0)
      return {
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({ version: VERSION, assignment, userData }),
      }
    })
  },
  protocol({ topics }) {
    const userData = Buffer.alloc(0)
    return { name: NAME, metadata: AssignerProtocol.MemberMetadata.encode({ version: VERSION, topics, userData }) }
  },
})
