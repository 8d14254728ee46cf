"""Rooms: a teacher's view goes to students, their votes come back; no page is known here.

* `keys`: codes that are read aloud, and what proves that somebody has come in.
* `database`: what keeps rooms; `in_sqlite`, over a `sqlite_connection`: in memory, or in a file
  that web processes share; `in_redis`, with `in_redis.lua`: in a server that they share.
* `store`: what there is of every room; `polls`: its questions and votes; `papers`: its
  teacher's own lesson; `here`: this server's.
* `guesses`: how many wrong codes may come from one place.
* `hub`: one look at the store for all students of a process.
* `routes`: what browsers ask: the stream of changes, votes, the teacher's counts.
"""
