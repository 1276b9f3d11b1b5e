(define (problem safe-problem)
 (:domain safe-domain)
 (:objects
   Kitchen - location
 )
 (:init
              (= (danger) 0)
              (= (danger_zone_count) 0)
 )
 (:goal (and 
           (done)
           (= (danger) 0)
        )
 )
)
