"""Worker processes that run the core.

    Converter ──▶ Pool ──▶ FairQueue ──▶ thread and its Worker ──▶ jobs (in the worker process) ──▶ core

A crash, hang or memory exhaustion affects only its own request. A worker has five seconds of CPU time, 1 GiB, and none
of the service's secrets; it returns bytes that are checked, not pickled objects, and confines itself after its imports
and before its first job. It has no user of its own: to change users, the service would need the right to become any.
Existing pools lack one of these: one broken process breaks the pool, the channel is shared, or results are unpickled.

Accounts and demos have separate workers, each with a queue. A client is an account, or the network of an anonymous one.
It has at most two jobs in workers and leaves one free, and clients that used much lately leave one free together, so
who asks for little finds a worker or waits for a small job. That reserve would be idle where it is one of as many
workers as CPUs: by default, there is one more.

A job ends with its client (`disconnects`), only while it runs in a worker: a write is never interrupted. A task that a
request starts has no client, so a rendering that several requests share goes on. To replace a worker takes a second of
CPU time, so one is killed only if it goes on for half a second. Kills, crashes and timeouts are charged for the new
worker. Workers lead process groups, which the engines of their figures share and die with.

The service starts when one worker of accounts and one of demos can answer; the others start after these.
"""
