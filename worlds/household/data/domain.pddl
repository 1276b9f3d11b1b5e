; A household with a robot that has one hand. A robot in a room may stand at a fixture of it; then `agent_at` holds of both.
(define (domain household)
  (:types place thing - object)
  (:predicates
    (agent_at ?p - place)
    (is_on ?t - thing ?p - place)
    (is_in ?t - thing ?p - place)
    (is_open ?p - place)
    (is_switchedon ?p - place)
    (is_grabbed ?t - thing)
    (is_touched ?o - object)
    (hand_free)
    ; What never changes: the rooms with their doors, where fixtures stand, and what they are.
    (room ?p - place)
    (next_to ?a ?b - place)
    (located ?p ?room - place)
    (surface ?p - place)
    (container ?p - place)
    (openable ?p - place)
    (device ?p - place))

  ; The robot enters rooms only on its way to something.
  (:action enter
    :parameters (?from ?to - place)
    :precondition (and (agent_at ?from) (next_to ?from ?to))
    :effect (and (forall (?p - place) (not (agent_at ?p))) (agent_at ?to)))

  (:action goto
    :parameters (?p - place)
    :precondition (exists (?r - place) (and (located ?p ?r) (agent_at ?r)))
    :effect (and (forall (?f - place) (when (not (room ?f)) (not (agent_at ?f)))) (agent_at ?p)))

  (:action find
    :parameters (?t - thing)
    :precondition (or (is_grabbed ?t) (exists (?p - place) (and (agent_at ?p) (or (is_on ?t ?p)
      (and (is_in ?t ?p) (or (not (openable ?p)) (is_open ?p)))))))
    :effect (and))

  (:action look_at
    :parameters (?p - place)
    :precondition (agent_at ?p)
    :effect (and))

  (:action grab
    :parameters (?t - thing)
    :precondition (and (hand_free) (exists (?p - place) (and (agent_at ?p) (or (is_on ?t ?p)
      (and (is_in ?t ?p) (or (not (openable ?p)) (is_open ?p)))))))
    :effect (and (is_grabbed ?t) (not (hand_free)) (forall (?p - place) (and (not (is_on ?t ?p)) (not (is_in ?t ?p))))))

  (:action put
    :parameters (?t - thing ?p - place)
    :precondition (and (is_grabbed ?t) (agent_at ?p) (or (surface ?p)
      (and (container ?p) (or (not (openable ?p)) (is_open ?p)))))
    :effect (and (not (is_grabbed ?t)) (hand_free) (when (surface ?p) (is_on ?t ?p)) (when (container ?p) (is_in ?t ?p))))

  (:action open
    :parameters (?p - place)
    :precondition (and (openable ?p) (agent_at ?p) (not (is_open ?p)))
    :effect (is_open ?p))

  (:action close
    :parameters (?p - place)
    :precondition (and (openable ?p) (agent_at ?p) (is_open ?p))
    :effect (not (is_open ?p)))

  (:action switchon
    :parameters (?p - place)
    :precondition (and (device ?p) (agent_at ?p) (not (is_switchedon ?p)))
    :effect (is_switchedon ?p))

  (:action switchoff
    :parameters (?p - place)
    :precondition (and (device ?p) (agent_at ?p) (is_switchedon ?p))
    :effect (not (is_switchedon ?p)))

  (:action touch
    :parameters (?o - object)
    :precondition (or (exists (?p - place) (and (agent_at ?p) (= ?o ?p)))
      (exists (?t - thing) (and (= ?o ?t) (or (is_grabbed ?t) (exists (?p - place) (and (agent_at ?p) (or (is_on ?t ?p)
        (and (is_in ?t ?p) (or (not (openable ?p)) (is_open ?p))))))))))
    :effect (is_touched ?o)))
